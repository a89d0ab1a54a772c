import { operations } from '../../app/operations.ts';
import { openApi } from '../../http/api/openapi.ts';
import { command } from '../command.ts';
import { printJson } from '../io.ts';

export const openapi = command({
  name: 'openapi',
  describe: 'Print the description of the HTTP routes (OpenAPI)',
  hasNoJson: true,
  examples: { 'openapi > clinic-sync.openapi.json': 'for a generator of clients' },
  async run(io) {
    printJson(io, openApi(operations));
  },
});
