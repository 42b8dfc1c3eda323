/**
 * Train the block model (src/reading/extract/block-model.ts) on pages with a human main text.
 * Cross-validated by registrable domain; a third of the domains is never read here (see `thirdOf`), so that a bench can report on it.
 *
 *   npm run data -- train-extractor --data <folder of *.jsonl.gz> [--out models/extractor/block-model.json] [--folds 3] [--trees 40]
 *     [--without hint,semantic] [--dry]
 *
 * Fields of a line: id, url, type, html, text. `--without` leaves groups of features out, for ablations; `--dry` writes nothing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BlockModel } from '../../src/reading/extract/block-model.ts';
import { type LabelledPage, labelledPages, tuningPages } from './pages.ts';
import { type Judged, scoreByType, scoreOf } from './scores.ts';
import { BOOSTING, FOLDS, featuresWhere, heldOut, type Recipe, trainingPages, trainModel } from './training.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../../models/extractor/block-model.json', import.meta.url)) },
    folds: { type: 'string', default: String(FOLDS) },
    trees: { type: 'string', default: String(BOOSTING.trees) },
    leaves: { type: 'string', default: String(BOOSTING.leaves) },
    rate: { type: 'string', default: String(BOOSTING.rate) },
    without: { type: 'string', default: '' },
    dry: { type: 'boolean', default: false },
  },
});
if (values.data === undefined) {
  process.stderr.write('npm run data -- train-extractor: give --data <folder of *.jsonl.gz with id, url, type, html, text>\n');
  process.exit(2);
}

const without = new Set(values.without.split(',').filter((group) => group !== ''));
const recipe: Recipe = {
  boosting: { ...BOOSTING, trees: Number(values.trees), leaves: Number(values.leaves), rate: Number(values.rate) },
  skip: featuresWhere((_, group) => without.has(group)),
};
const startedAt = Date.now();
const training = trainingPages(labelledPages(tuningPages(values.data)));
const { pages, bare } = training;
say(
  `${pages.length} pages, ${pages.reduce((sum, page) => sum + page.content.blocks.length, 0)} blocks; the held-aside third of domains is not read`,
);

const folds = Number(values.folds);
const held: Judged[] = [];
const heldBare: Judged[] = [];
let fold = 0;
for (const { model: file, indices } of heldOut(training, recipe, folds)) {
  const model = new BlockModel(file);
  held.push(...indices.map((i) => judged(pages[i] as LabelledPage, model)));
  heldBare.push(...indices.map((i) => judged(bare[i] as LabelledPage, model)));
  fold++;
  say(`fold ${fold} of ${folds} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
}
say(`held out by domain, mean F1: ${scoreOf(held).toFixed(4)}`);
for (const fixed of [0.35, 0.45, 0.55]) say(`with one threshold for all pages, ${fixed}: ${scoreOf(at(held, fixed)).toFixed(4)}`);
say(`the same pages without class names and semantic elements: ${scoreOf(heldBare).toFixed(4)}`);
say(`ceiling, the labels themselves: ${scoreOf(pages.map((page) => ({ page, probabilities: page.labels, threshold: 0.5 }))).toFixed(4)}`);
for (const line of scoreByType(held)) say(line);

if (!values.dry) {
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, `${JSON.stringify(trainModel(training, recipe, () => true))}\n`);
  say(`${values.out}: written (${Math.round((Date.now() - startedAt) / 1000)} s)`);
}

function judged(page: LabelledPage, model: BlockModel): Judged {
  const probabilities = model.probabilities(page.features);
  return { page, probabilities, threshold: model.thresholdFor(page.content, probabilities) };
}

function at(pages: readonly Judged[], threshold: number): Judged[] {
  return pages.map((one) => ({ ...one, threshold }));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
