// Writes config/clinic-sync.schema.json anew; test/documentation.test.ts fails while it is out of date.
import { writeFileSync } from 'node:fs';
import { findKind, kindNames } from '../connectors/registry.ts';
import { configSchema } from '../src/config/json-schema.ts';

const kinds = await Promise.all(kindNames.map((name) => findKind(name)));
const schema = configSchema(kinds.filter((kind) => kind !== undefined));
writeFileSync('config/clinic-sync.schema.json', `${JSON.stringify(schema, null, 2)}\n`);
