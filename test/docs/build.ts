/** Writes the pages of the package that nobody edits or reviews, below dist/docs: `npm run build:docs`, a step of `npm run build`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { apiPage } from './api-page.ts';
import { manPage } from './man-page.ts';
import { schemaFile } from './options-page.ts';

mkdirSync('dist/docs', { recursive: true });
writeFileSync('dist/docs/api.md', apiPage());
writeFileSync('dist/docs/forager.schema.json', schemaFile());
writeFileSync('dist/docs/forager.1', manPage());
