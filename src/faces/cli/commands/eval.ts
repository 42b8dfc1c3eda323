import { EXIT } from '../../../base/core/errors.ts';
import { countText } from '../../../base/text/number-text.ts';
import type { EvalStep } from '../../../study/eval/eval-runs.ts';
import { printContent, printJson, warn } from '../command.ts';
import { type CommandOptions, command } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { renamed } from '../old-names.ts';
import { clockText } from '../progress.ts';

const STEPS: Readonly<Record<EvalStep, string>> = {
  freezing: 'visiting pages through the proxy',
  reading: 'reading the web',
  judging: 'judging pages',
  running: 'running strategies',
};

export const evalCommand = command({
  name: 'eval',
  positionals: [],
  summary: 'compare strategies offline on a frozen web',
  examples: [
    ['$0 eval --web webs/moss.jsonl.gz --topic models/moss --judge labels.csv --out evals/moss', 'all strategies, judged by labels'],
    [
      '$0 eval --web webs/moss.jsonl.gz --topic models/moss --judge model:models/moss-2 --strategies apprentice,bfs --budget 500',
      'two of them, judged by another model',
    ],
  ],
  oldNames: [
    renamed('starts', 'seeds'),
    renamed('pages', 'max-pages'),
    { name: 'seeds', hasValue: true, now: (value) => (/^\d+$/.test(value) ? ['--repeats', value] : null) },
  ],
  run,
});

async function run({ json, ...options }: CommandOptions<'eval'>): Promise<number> {
  const { evaluate } = await import('../../app/compare-strategies.ts');
  const shown: Shown<{ readonly step: EvalStep; readonly done: number; readonly of: number }> = {
    start: { step: 'reading', done: 0, of: 0 },
    line: ({ step, done, of }, ms) => `${STEPS[step]}${of === 0 ? '' : ` ${countText(done)} of ${countText(of)}`}; ${clockText(ms)}`,
    stopping: 'Stopping: nothing is written to --out.',
  };
  const report = await longWork(shown, (signal, tell) =>
    evaluate({ ...options, signal, onProgress: (step, done, of) => tell({ step, done, of }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report.evaluation);
  else printContent(report.markdown);
  for (const file of report.files) warn(`wrote ${file}`);
  return EXIT.done;
}
