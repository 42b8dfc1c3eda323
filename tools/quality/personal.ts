/**
 * Precision and recall of `harvest --personal` on 2,000 labelled lines of the copyright and changelog files of this machine's Debian packages. Real
 * mail addresses are labelled by a second reader written from RFC 5322, other kinds are made and put into real lines, and real lines with many digits
 * have none. Rules are tuned on the packages of one half (`--half tune`), and reported on the other.
 *
 *   npm run check -- personal [--half tune|report] [--seed 1] [--show 100]
 *   npm run check -- personal --pages FOLDER [--every 20]   finds in the HTML pages of a folder, as a rate a page and a sample to look at
 *
 * A find counts if its kind and its place are those of a label. Real telephone numbers and addresses in lines that are labelled "none" count against
 * precision: look at them with --show.
 */
import { parseArgs } from 'node:util';
import { personalRanges } from '../../src/corpus/personal/personal-data.ts';
import { PERSONAL_KINDS, type PersonalRange } from '../../src/corpus/personal/personal-names.ts';
import { type LabelledLine, labelledLines } from './personal/labelled-lines.ts';
import { findsInPages } from './personal/page-finds.ts';

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'report' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '0' },
    pages: { type: 'string' },
    every: { type: 'string', default: '1' },
  },
});
if (values.half !== 'tune' && values.half !== 'report') throw new Error('--half: give tune or report');
if (values.pages === undefined) reportLines(labelledLines(values.half, Number(values.seed)));
else findsInPages(values.pages, Number(values.show), Number(values.every));

interface Outcome {
  readonly line: LabelledLine;
  readonly right: readonly PersonalRange[];
  readonly missed: readonly PersonalRange[];
  readonly wrong: readonly PersonalRange[];
}

function outcomeOf(line: LabelledLine): Outcome {
  const found = personalRanges(line.text, line.lang);
  const isAmong = (range: PersonalRange, of: readonly PersonalRange[]) => of.some((one) => one.join() === range.join());
  return {
    line,
    right: found.filter((range) => isAmong(range, line.labels)),
    missed: line.labels.filter((range) => !isAmong(range, found)),
    wrong: found.filter((range) => !isAmong(range, line.labels)),
  };
}

function reportLines(lines: readonly LabelledLine[]): void {
  const outcomes = lines.map(outcomeOf);
  console.log(`${lines.length} lines, half ${values.half}\n\nkind   labels  precision  recall`);
  for (const kind of [...PERSONAL_KINDS, 'all'] as const) {
    const count = (part: 'right' | 'missed' | 'wrong') =>
      outcomes.reduce((sum, one) => sum + one[part].filter((range) => kind === 'all' || range[2] === kind).length, 0);
    const [right, missed, wrong] = [count('right'), count('missed'), count('wrong')];
    const shares = [right / (right + wrong), right / (right + missed)].map((share) => share.toFixed(4));
    console.log(`${kind.padEnd(6)} ${String(right + missed).padStart(6)}  ${shares[0]?.padStart(9)}  ${shares[1]}`);
  }
  const none = outcomes.filter(({ line }) => line.labels.length === 0);
  console.log(`\nlines without labels: ${none.length}; changed: ${none.filter(({ wrong }) => wrong.length > 0).length}`);
  for (const { line, missed, wrong } of outcomes
    .filter(({ missed, wrong }) => missed.length + wrong.length > 0)
    .slice(0, Number(values.show))) {
    const words = (ranges: readonly PersonalRange[]) =>
      ranges.map(([start, end, kind]) => `${kind} ${line.text.slice(start, end)}`).join('; ');
    console.log(`\n${line.source} ${line.lang}: ${line.text}\n  missed: ${words(missed)}\n  wrong: ${words(wrong)}`);
  }
}
