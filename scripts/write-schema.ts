// Writes what is made from the schema of the configuration: the JSON Schema, the example file and the tables of settings in
// the documentation. test/documentation.test.ts fails while one of them is out of date.
import { writeFileSync } from 'node:fs';
import { pagesFromSchema } from './settings-pages.ts';

for (const [file, text] of await pagesFromSchema()) writeFileSync(file, text);
