/**
 * Length of sentences and paragraphs, in words, and phrases to avoid: of README, docs, the messages and comments of each room of `src/`, or of the files
 * that are named.
 *
 *   npm run check -- prose [FILES]
 *
 * Exit code 1 when a phrase of docs/style.md is found; each is printed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOf, type Figures, figuresOf, pagesOfDocs, phrasesToAvoid, readStyleSheet } from './prose.ts';
import { proseOfSource, roomsOfSource, sourceFiles } from './source-prose.ts';

interface Part {
  readonly name: string;
  readonly blocks: readonly Block[];
}

const phrases = phrasesToAvoid(readStyleSheet());
const named = process.argv.slice(2);
const parts = named.length > 0 ? named.flatMap(partsOfFile) : [...pagesOfDocs().flatMap(partsOfFile), ...rooms()];

console.log('| text | sentences | median | p90 | longest | paragraph p90 | longest | to avoid |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const { name, blocks } of parts) row(name, figuresOf(blocks, phrases));
for (const [name, of] of Object.entries(groups()))
  row(
    `all ${name}`,
    figuresOf(
      of.flatMap(({ blocks }) => blocks),
      phrases,
    ),
  );
for (const { name, blocks } of parts) for (const phrase of figuresOf(blocks, phrases).avoided) console.log(`  ${name}: ${phrase}`);
process.exitCode = parts.some(({ blocks }) => figuresOf(blocks, phrases).avoided.length > 0) ? 1 : 0;

function partsOfFile(path: string): Part[] {
  if (!path.endsWith('.ts')) return [{ name: path, blocks: blocksOf(readFileSync(path, 'utf8')) }];
  const { comments, messages } = proseOfSource(path);
  return [
    { name: `${path} messages`, blocks: messages },
    { name: `${path} comments`, blocks: comments },
  ];
}

function rooms(): Part[] {
  return roomsOfSource().flatMap((name) => {
    const files = sourceFiles(join('src', name)).map(proseOfSource);
    return [
      { name: `src/${name} messages`, blocks: files.flatMap(({ messages }) => messages) },
      { name: `src/${name} comments`, blocks: files.flatMap(({ comments }) => comments) },
    ];
  });
}

function groups(): Record<string, Part[]> {
  const of = (end: string) => parts.filter(({ name }) => name.endsWith(end));
  return { pages: of('.md'), messages: of(' messages'), comments: of(' comments') };
}

function row(name: string, figures: Figures): void {
  if (figures.sentences === 0) return;
  const { sentences, medianWords, p90Words, longestWords, paragraphP90, paragraphLongest, avoided } = figures;
  const cells = [name, sentences, medianWords, p90Words, longestWords, paragraphP90, paragraphLongest, avoided.length];
  console.log(`| ${cells.join(' | ')} |`);
}
