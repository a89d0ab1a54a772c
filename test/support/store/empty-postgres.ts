import { fleetTimes } from '../../../src/store/ports/fleet.ts';

/** A test may take as long as the machine needs: no one else uses its database. */
export const patientTimes = fleetTimes(36_000_000);

/**
 * Empties all tables except the migrations and the installation’s key. Row by row, because TRUNCATE makes new files for a
 * table and its indexes, at five times the cost; without triggers, as TRUNCATE does, for which it takes a superuser.
 */
export const EMPTY = `do $$ declare one text; found boolean; begin
  perform set_config('session_replication_role', 'replica', true);
  for one in select tablename from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'memory') loop
    execute format('select exists (select 1 from %I)', one) into found;
    if found then execute format('delete from %I', one); end if;
  end loop;
  for one in select sequencename from pg_sequences where schemaname = 'public' and last_value is not null loop
    execute format('alter sequence %I restart', one);
  end loop;
  if to_regclass('memory') is not null then delete from memory where scope <> 'erasing'; end if;
end $$`;
