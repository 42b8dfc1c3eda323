import type { EvalStep, GuideBy } from '../../app/eval-runs.ts';
import { EXIT } from '../../core/errors.ts';
import { BY_GRAPH, STRATEGIES } from '../../links/strategies.ts';
import {
  type Args,
  type Command,
  choiceOf,
  countOf,
  flag,
  flagOf,
  given,
  listOf,
  measure,
  printContent,
  printJson,
  requiredText,
  several,
  spanOf,
  text,
  textOf,
  warn,
} from '../command.ts';
import { longWork, type Shown } from '../long-work.ts';
import { clockText, countText } from '../progress.ts';

const GUIDES = ['model', 'labels'] as const satisfies readonly GuideBy[];

const STEPS: Readonly<Record<EvalStep, string>> = {
  freezing: 'visiting pages through the proxy',
  reading: 'reading the web',
  judging: 'judging pages',
  running: 'running strategies',
};

export const evalCommand: Command = {
  name: 'eval',
  summary: 'compare strategies on a frozen web: what each finds for the requests it would make',
  options: (argv) =>
    argv
      .options({
        web: text('a frozen web, or http://host:port of a proxy to freeze one through', { demandOption: true }),
        topic: text('topic model that guides, models/<name>', { demandOption: true }),
        judge: text('who says what is on topic: labels.csv (url,on_topic) or model:DIR of another model', { demandOption: true }),
        guide: text('what tells strategies whether a page they read is on topic: model, or labels, those of --judge', {
          defaultDescription: 'model',
        }),
        strategies: several(`any of ${STRATEGIES.join(',')},one-step,distance; the first is compared to the others`, {
          defaultDescription: `all but dfs, ${BY_GRAPH.join(', ')}`,
        }),
        budget: measure('number of URLs each may visit', 'twice the pages to find, 100 to 2,000'),
        seeds: measure('number of repetitions', '5; 1 with --starts'),
        starts: several('URLs to start from, or files of them', { defaultDescription: '3 pages on topic, drawn for each seed' }),
        examples: several('URLs the topic was trained on, or files of them: they never count as found'),
        tunnel: measure('number of off-topic pages in a row to pass through', '4'),
        out: text('folder for results.json, report.md and curves.svg'),
        pages: measure('number of URLs to visit through a proxy', '2000'),
        delay: measure('rest of a host between two requests through a proxy', '1s'),
        contact: text('URL or mail address sent with every request through a proxy'),
        force: flag('replace an evaluation at --out'),
        json: flag('print the results as JSON'),
      })
      .example(
        '$0 eval --web webs/moss.jsonl.gz --topic models/moss --judge labels.csv --out evals/moss',
        'all strategies, judged by labels',
      )
      .example(
        '$0 eval --web webs/moss.jsonl.gz --topic models/moss --judge model:models/moss-2 --strategies apprentice,bfs --budget 500',
        'two of them, judged by another model',
      ),
  run,
};

async function run(args: Args): Promise<number> {
  const options = optionsOf(args);
  const { evaluate } = await import('../../app/eval.ts');
  const shown: Shown<{ readonly step: EvalStep; readonly done: number; readonly of: number }> = {
    start: { step: 'reading', done: 0, of: 0 },
    line: ({ step, done, of }, ms) => `${STEPS[step]}${of === 0 ? '' : ` ${countText(done)} of ${countText(of)}`}; ${clockText(ms)}`,
    stopping: 'Stopping: nothing is written to --out.',
  };
  const report = await longWork(shown, (signal, tell) =>
    evaluate({ ...options, signal, onProgress: (step, done, of) => tell({ step, done, of }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (flagOf(args, 'json')) printJson(report.evaluation);
  else printContent(report.markdown);
  for (const file of report.files) warn(`wrote ${file}`);
  return EXIT.done;
}

function optionsOf(args: Args) {
  const valuesOf = (name: string, commas = false) => (args[name] === undefined ? undefined : listOf(args, name, commas));
  return {
    web: requiredText(args, 'web'),
    topic: requiredText(args, 'topic'),
    judge: requiredText(args, 'judge'),
    force: flagOf(args, 'force'),
    ...given({
      guide: choiceOf(args, 'guide', GUIDES),
      strategies: valuesOf('strategies', true),
      budget: countOf(args, 'budget'),
      seeds: countOf(args, 'seeds'),
      starts: valuesOf('starts'),
      examples: valuesOf('examples'),
      tunnel: countOf(args, 'tunnel', 0),
      out: textOf(args, 'out'),
      pages: countOf(args, 'pages'),
      delay: spanOf(args, 'delay'),
      contact: textOf(args, 'contact'),
    }),
  };
}
