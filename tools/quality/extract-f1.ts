/**
 * F1 of our main text against the one a person marked, per file, page type and part of the split, in seconds: for tuning.
 * The held-aside part is to be looked at, not tuned on; `npm run bench -- extract` is the full report.
 *
 *   node --import tsx tools/quality/extract-f1.ts [folder of *.jsonl.gz] [--mode slope] [--part tuning|held|all]
 */
import { parseArgs } from 'node:util';
import { type GoldPage, HELD_ASIDE, readGold, thirdOf } from '../../datasets/extractor/gold.ts';
import { MODES, ourExtract } from './extract-modes.ts';
import { meanScore, metricOf, type PageScore, pooledScore, scorePage } from './score.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mode: { type: 'string', default: MODES[0] }, part: { type: 'string', default: 'tuning' } },
});
const mode = MODES.find((name) => name === values.mode);
if (mode === undefined || !['tuning', 'held', 'all'].includes(values.part)) {
  console.error(`usage: extract-f1.ts [folder] [--mode ${MODES.join('|')}] [--part tuning|held|all]`);
  process.exit(2);
}

const extract = ourExtract(mode);
const groups = new Map<string, PageScore[]>();
for (const page of readGold(positionals[0] ?? '../shared/data/extraction')) {
  const part = thirdOf(page) === HELD_ASIDE ? 'held' : 'tuning';
  if (values.part !== 'all' && values.part !== part) continue;
  const score = scoreOf(page);
  for (const key of [`${part}: ${page.file}`, `${part}: ${page.file}, ${page.type}`]) groups.set(key, [...(groups.get(key) ?? []), score]);
}
console.log(`${`part: file, type (${mode})`.padEnd(44)} pages mean F1 precision recall pooled F1`);
for (const [name, scores] of [...groups].sort(([a], [b]) => a.localeCompare(b))) console.log(row(name, scores));

function scoreOf(page: GoldPage): PageScore {
  return scorePage(extract({ ...page, body: Buffer.from(page.html) }), page.text, metricOf(page.file));
}

function row(name: string, scores: readonly PageScore[]): string {
  const { f1, precision, recall } = meanScore(scores);
  const columns = [
    String(scores.length).padStart(5),
    f1.toFixed(4),
    precision.toFixed(4),
    recall.toFixed(4),
    pooledScore(scores).f1.toFixed(4),
  ];
  return [name.padEnd(44), ...columns].join('  ');
}
