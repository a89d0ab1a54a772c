import { statSync } from 'node:fs';
import type { Parts } from '../../app/parts.ts';
import { daemonStart } from '../../app/status-report.ts';
import type { ClinicSettings } from '../../config/config.ts';
import { type CheckLine, fail, ok, warn } from '../../connector.ts';
import { zonesInstead } from '../../domain/clinics/zones-of-country.ts';
import { countryFor } from '../../domain/phone.ts';
import { type Instant, toMs } from '../../platform/clock.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import { proxyFor, proxyName } from '../../platform/network/outgoing-proxy.ts';

/** A part of what `doctor` finds. */
export interface DoctorSection {
  title: string;
  lines: readonly CheckLine[];
}

/** The clocks of clinics minus ours, milliseconds, as their latest answers tell. */
export type ClockSkews = Map<string, number>;

const MOST_SKEW_MS = 120_000;

/** What each clinic answers, and what the running daemon says of it. */
export const clinicSections = (
  parts: Parts,
  skews: ClockSkews,
  signal: AbortSignal,
): Promise<DoctorSection>[] =>
  [...parts.clinics.values()].map(async ({ settings, clinic }) => {
    const { key, base_url } = settings;
    // First, because it may change while this asks.
    const told = await daemonLines(parts, settings);
    const answers = await clinic.organization(signal).then(
      async ({ records: [organization] }) => {
        const name = organization?.fields.name ?? 'nothing readable';
        const works = ok(`${base_url} accepts the keys and calls itself ${name}`);
        if (organization === undefined) return [works];
        return [
          works,
          ...zoneLines(settings, organization.fields),
          ...(await otherKeyLines(parts, key, organization.id)),
        ];
      },
      (error: unknown) => [refused(asFailure(error, `Asking ${base_url}`))],
    );
    const about = [...routeLines(base_url), ...openLines(base_url), ...clockLines(skews.get(key))];
    return { title: `clinic ${key}`, lines: [...answers, ...about, ...told] };
  });

/** Too many calls are no fault of the configuration, and pass. */
const refused = (failure: Failure): CheckLine =>
  failure.status === 429 ? warn(failure.message, failure.hint) : fail(failure);

/** Where only the clinic's own phone number tells its country. */
function zoneLines(
  { timezone, country }: ClinicSettings,
  organization: { phone?: unknown; country?: unknown },
) {
  const own = country === undefined ? countryFor(undefined, organization) : undefined;
  const zones = own === undefined ? undefined : zonesInstead(timezone, own);
  if (zones === undefined) return [];
  return [
    warn(
      `its phone number is of ${own}, where clocks show another time than in ${timezone}`,
      `If the clinic is there, set timezone: ${zones.join(' or ')}; else set country.`,
    ),
  ];
}

function routeLines(baseUrl: string): CheckLine[] {
  const proxy = proxyFor(new URL(baseUrl), process.env);
  return proxy === undefined
    ? []
    : [ok(`it is called through the outgoing proxy ${proxyName(proxy)} (${proxy.setting})`)];
}

/** A running daemon may fail where this check works: it has a token, keys and connections of its own. */
async function daemonLines({ store }: Parts, { key, keyFiles }: ClinicSettings): Promise<CheckLine[]> {
  if (!(await store.hasDaemon())) return [];
  const open = (await store.incidents.open()).filter(({ clinic }) => clinic === key);
  const gone = open.filter(({ kind }) => kind === 'unreachable');
  // Where nothing answers, every resource fails in the same words.
  const said = gone.length > 0 ? gone : open;
  const failing = (await store.polls.list(key)).filter(({ failures }) => failures > 0);
  const [last] = failing.sort((a, b) => b.failures - a.failures);
  const sentences = [
    ...said.map(({ sentence }) => sentence),
    ...(said.length > 0 ? [] : [last?.last_error ?? []]).flat(),
  ];
  if (sentences.length === 0) return [];
  const newer = newerThan(await daemonStart(store), Object.values(keyFiles ?? {}));
  const hint =
    newer === undefined
      ? 'It tries again within a minute. If it goes on saying so although the lines above are ok, restart it.'
      : `The key file ${newer} is newer than the daemon, which reads it with its next call; SIGHUP makes it do so now.`;
  return sentences.map((sentence) => warn(`the running daemon says: ${sentence}`, hint));
}

/** The first of these files that was changed since. */
const newerThan = (at: Instant | null, files: readonly (string | undefined)[]): string | undefined =>
  files.find((file) => {
    const changed = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    return at !== null && changed !== undefined && changed > toMs(at);
  });

/** Before the start that would ask: see the guard of an organization that is known under another key. */
async function otherKeyLines({ store, otherKeys }: Parts, key: string, careId: string): Promise<CheckLine[]> {
  const mirrored = await store.mirror.hashes(key, 'organization');
  const others = mirrored.size > 0 ? [] : await otherKeys(careId);
  return others.map((one) =>
    warn(
      `it is already known under ${one}, which this configuration does not have: ` +
        `bookings under ${key} are not compared with those`,
      `If only the key was changed, change it back to ${one}.`,
    ),
  );
}

function openLines(baseUrl: string): CheckLine[] {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || /^(localhost|127\..*|\[::1\])$/.test(hostname)) return [];
  const what = 'base_url begins with http: the keys and the patients travel unencrypted';
  return [warn(what, 'Write https, if the clinic’s server has it.')];
}

function clockLines(skew = 0): CheckLine[] {
  if (Math.abs(skew) <= MOST_SKEW_MS) return [];
  const what = `this machine's clock and the clinic's differ by ${Math.round(skew / 1000)} s`;
  return [warn(what, 'Switch on time synchronisation (NTP) on this machine.')];
}
