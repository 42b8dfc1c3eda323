/** Writes the committed pages that follow from the sources: `npm run docs`. Those of the package alone are written by `build.ts`. */
import { writeFileSync } from 'node:fs';
import { scriptsPage } from '../../tools/scripts/page.ts';
import { optionsPage } from './options-page.ts';

writeFileSync('docs/reference/options.md', optionsPage());
writeFileSync('tools/scripts/README.md', scriptsPage());
