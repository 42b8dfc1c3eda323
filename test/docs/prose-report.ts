/**
 * Length of sentences and paragraphs, in words, and phrases to avoid: README and docs, or the files that are named.
 *
 *   npm run check -- prose [FILES]
 *
 * Exit code 1 when a phrase of docs/style.md is found; each is printed.
 */
import { readFileSync } from 'node:fs';
import { type Figures, figuresOf, pagesOfDocs, phrasesToAvoid, readStyleSheet } from './prose.ts';

const named = process.argv.slice(2);
const pages = named.length > 0 ? named : pagesOfDocs();
const phrases = phrasesToAvoid(readStyleSheet());
const texts = pages.map((path) => readFileSync(path, 'utf8'));

console.log('| page | sentences | median | p90 | longest | paragraph p90 | longest | to avoid |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const [i, path] of pages.entries()) row(path, figuresOf([texts[i] ?? ''], phrases));
const all = figuresOf(texts, phrases);
row('all', all);
for (const phrase of all.avoided) console.log(`  ${phrase}`);
process.exitCode = all.avoided.length === 0 ? 0 : 1;

function row(name: string, figures: Figures): void {
  const { sentences, medianWords, p90Words, longestWords, paragraphP90, paragraphLongest, avoided } = figures;
  const cells = [name, sentences, medianWords, p90Words, longestWords, paragraphP90, paragraphLongest, avoided.length];
  console.log(`| ${cells.join(' | ')} |`);
}
