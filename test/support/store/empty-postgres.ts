import { fleetTimes } from '../../../src/store/ports/fleet.ts';

/** A test may take as long as the machine needs: no one else uses its database. */
export const patientTimes = fleetTimes(36_000_000);

/** Empties all tables except the migrations and the installation’s key. */
export const EMPTY = `do $$ declare one text; found boolean; begin
  for one in select tablename from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'memory') loop
    execute format('select exists (select 1 from %I)', one) into found;
    if found then execute format('truncate %I restart identity cascade', one); end if;
  end loop;
  if one is not null then delete from memory where scope <> 'erasing'; end if;
end $$`;
