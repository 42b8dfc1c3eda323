/** The child process of one method: `extract-worker.ts <folder> <method>`. Is told a page's number, answers with its text and cost. */
import { performance } from 'node:perf_hooks';
import { readGold } from '../../datasets/extractor/gold.ts';
import type { Ms } from '../../src/base/core/types.ts';
import type { PageInput } from '../quality/extract-modes.ts';
import { textOfHtml } from './extract-html-text.ts';
import { METHODS, type Output } from './extract-methods.ts';

/** What a method made of one page. A method that throws has found no text. */
export interface Answer {
  readonly index: number;
  readonly text: string;
  /** What it threw; null when it did not. */
  readonly threw: string | null;
  readonly cpu: Ms;
  readonly wall: Ms;
}

const [folder = '', name = ''] = process.argv.slice(2);
// What peers say of a page is not what is measured.
for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) console[level] = () => {};

const pages: PageInput[] = readGold(folder).map(({ id, url, html }) => ({ id, url, html, body: Buffer.from(html) }));
const extract = await METHODS.find((method) => method.name === name)?.load();
if (extract === undefined) throw new Error(`no method ${name}`);

process.on('message', async (index: number) => process.send?.(await answer(index)));
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function answer(index: number): Promise<Answer> {
  const page = pages[index];
  if (page === undefined || extract === undefined) throw new Error(`no page ${index}`);
  const cpuBefore = process.cpuUsage();
  const wallBefore = performance.now();
  let output: Output = { kind: 'text', text: '' };
  let threw: string | null = null;
  try {
    output = await extract(page);
  } catch (error) {
    threw = String(error);
  }
  const wall = performance.now() - wallBefore;
  const { user, system } = process.cpuUsage(cpuBefore);
  const text = output.kind === 'html' ? textOfHtml(output.html) : output.text;
  return { index, text, threw, cpu: (user + system) / 1000, wall };
}
