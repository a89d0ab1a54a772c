// Writes what is generated from the configuration schema: the JSON Schema, the example file and the tables in the
// documentation. test/documentation.test.ts fails when one of them is outdated.
import { writeFileSync } from 'node:fs';
import { pagesFromSchema } from './settings-pages.ts';

for (const [file, text] of await pagesFromSchema()) writeFileSync(file, text);
