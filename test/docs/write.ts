/** Writes the pages that follow from the sources: `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { scriptsPage } from '../scripts/page.ts';
import { apiPage } from './api-page.ts';
import { manPage } from './man-page.ts';
import { optionsPage, schemaFile } from './options-page.ts';

writeFileSync('docs/reference/options.md', optionsPage());
writeFileSync('docs/reference/api.md', apiPage());
writeFileSync('docs/forager.schema.json', schemaFile());
writeFileSync('docs/forager.1', manPage());
writeFileSync('test/scripts/README.md', scriptsPage());
