import { stringify } from 'yaml';
import { kindNames } from '../../../connectors/registry.ts';
import { configSchema } from '../../config/json-schema.ts';
import { masked } from '../../config/masking.ts';
import { command, group } from '../command.ts';
import { faultsText, requireLoaded, usableKinds } from '../configuration.ts';
import { answer, counted, printJson } from '../io.ts';
import { init } from './config-init.ts';

const check = command({
  name: 'check',
  describe: 'Name every fault at once, with its line',
  examples: { 'config check --json': 'for a script' },
  needsSecrets: true,
  async run(io, given) {
    const { config, warnings } = await requireLoaded(io, given);
    const { origin, clinics, connectors, notify, http } = config;
    const targets = notify.targets.length;
    if (warnings.length > 0 && !given.json) io.err(faultsText(io, origin, warnings, 'warning'));
    const parts = [
      counted(clinics.length, 'clinic'),
      // Notification targets and the heartbeat are connectors internally.
      counted(connectors.length - targets - Number(notify.heartbeat !== undefined), 'connector'),
      ...(targets > 0 ? [counted(targets, 'notification target')] : []),
    ].join(', ');
    const uri = http.oidc?.redirectUri;
    const value = { ok: true, origin, faults: [], warnings, ...(uri !== undefined && { redirect_uri: uri }) };
    const registered = uri === undefined ? '' : `\nRedirect URI to register for http.oidc: ${uri}`;
    answer(io, given, value, `${origin}: ok (${parts})${registered}`);
  },
});

const schema = command({
  name: 'schema',
  describe: 'Print the JSON Schema, for editors',
  examples: { 'config schema > clinic-sync.schema.json': 'for your editor' },
  async run(io) {
    const kinds = await usableKinds(kindNames);
    printJson(io, configSchema([...kinds.values()]));
  },
});

const show = command({
  name: 'show',
  describe: 'Print the effective values, secrets masked',
  examples: { 'config show': 'what really counts, defaults included' },
  needsSecrets: true,
  async run(io, given) {
    const loaded = await requireLoaded(io, { config: given.config });
    const trusted = loaded.config.connectors.filter(({ isolate }) => !isolate);
    const values = masked(loaded.shown, await usableKinds(trusted.map(({ use }) => use)));
    if (given.json) printJson(io, values);
    else io.out(`# from ${loaded.config.origin}\n${stringify(values)}`);
  },
});

export const config = group({
  name: 'config',
  describe: 'Check, show or start a configuration',
  commands: [check, schema, show, init],
  examples: { 'config check --config clinic-sync.yaml': 'all faults at once' },
});
