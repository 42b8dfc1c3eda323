/**
 * Train the block model (src/extract/block-model.ts) on pages with a human main text.
 * Cross-validated by registrable domain; a third of the domains is never read here (see `thirdOf`), so that a bench can report on it.
 *
 *   npm run train:extractor -- --data <folder of *.jsonl.gz> [--out models/extractor/block-model.json] [--folds 3] [--trees 40]
 *     [--without hint,semantic] [--dry]
 *
 * Fields of a line: id, url, type, html, text. `--without` leaves groups of features out, for ablations; `--dry` writes nothing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BLOCK_FEATURES } from '../../src/extract/block-features.ts';
import { BlockModel, type BlockModelFile } from '../../src/extract/block-model.ts';
import { type BoostingOptions, boost } from './boosting.ts';
import { type LabelledPage, readTuningPages, rowsOf, withoutHints } from './pages.ts';
import { type Judged, scoreByType, scoreOf } from './scores.ts';

/** Share of the pages, by domain, that are also learned from without their class names and semantic elements. */
const WITHOUT_HINTS = 0.3;
/** On the tuning pages .60 gives the seven types .001 more, and news less; .70 the other way round: see `BlockModel.thresholdFor`. */
const THRESHOLD = 0.65;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../../models/extractor/block-model.json', import.meta.url)) },
    folds: { type: 'string', default: '3' },
    trees: { type: 'string', default: '40' },
    leaves: { type: 'string', default: '15' },
    rate: { type: 'string', default: '0.2' },
    without: { type: 'string', default: '' },
    dry: { type: 'boolean', default: false },
  },
});
if (values.data === undefined) {
  process.stderr.write('train:extractor: give --data <folder of *.jsonl.gz with id, url, type, html, text>\n');
  process.exit(2);
}

const options: BoostingOptions = {
  trees: Number(values.trees),
  leaves: Number(values.leaves),
  rate: Number(values.rate),
  penalty: 1,
  minWeight: 1,
};
const groups = new Set(values.without.split(',').filter((group) => group !== ''));
const skip = new Set(BLOCK_FEATURES.flatMap((name, i) => (groups.has(name.split('.')[0] ?? '') ? [i] : [])));
const startedAt = Date.now();
const pages = readTuningPages(values.data);
const bare = withoutHints(pages);
say(
  `${pages.length} pages, ${pages.reduce((sum, page) => sum + page.content.blocks.length, 0)} blocks; the held-aside third of domains is not read`,
);

const folds = Number(values.folds);
const held: Judged[] = [];
const heldBare: Judged[] = [];
for (let fold = 0; fold < folds; fold++) {
  const model = new BlockModel(trained(pages.map(({ group }) => group % folds !== fold)));
  for (const [i, page] of pages.entries()) {
    if (page.group % folds !== fold) continue;
    held.push(judged(page, model));
    heldBare.push(judged(bare[i] as LabelledPage, model));
  }
  say(`fold ${fold + 1} of ${folds} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
}
say(`held out by domain, mean F1: ${scoreOf(held).toFixed(4)}`);
for (const fixed of [0.35, 0.45, 0.55]) say(`with one threshold for all pages, ${fixed}: ${scoreOf(at(held, fixed)).toFixed(4)}`);
say(`the same pages without class names and semantic elements: ${scoreOf(heldBare).toFixed(4)}`);
say(`ceiling, the labels themselves: ${scoreOf(pages.map((page) => ({ page, probabilities: page.labels, threshold: 0.5 }))).toFixed(4)}`);
for (const line of scoreByType(held)) say(line);

if (!values.dry) {
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, `${JSON.stringify(trained(pages.map(() => true)))}\n`);
  say(`${values.out}: written (${Math.round((Date.now() - startedAt) / 1000)} s)`);
}

function trained(chosen: readonly boolean[]): BlockModelFile {
  const few = bare.filter((page, i) => chosen[i] && (page.group % 100) / 100 < WITHOUT_HINTS);
  const { bias, trees } = boost(rowsOf([...pages.filter((_, i) => chosen[i]), ...few]), options, skip);
  return {
    format: 'forager-block-model',
    version: 1,
    features: [...BLOCK_FEATURES],
    bias,
    threshold: THRESHOLD,
    // Five digits are more than the leaves are sure of.
    trees: trees.map((tree) => ({ ...tree, value: tree.value.map((value) => Number(value.toPrecision(5))) })),
  };
}

function judged(page: LabelledPage, model: BlockModel): Judged {
  const probabilities = model.probabilities(page.features);
  return { page, probabilities, threshold: model.thresholdFor(page.content.blocks, probabilities) };
}

function at(pages: readonly Judged[], threshold: number): Judged[] {
  return pages.map((one) => ({ ...one, threshold }));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
