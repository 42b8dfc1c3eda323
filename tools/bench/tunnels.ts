/**
 * Islands of on-topic pages behind chains of off-topic ones: what the apprentice finds of them by how many off-topic pages in a row it
 * passes through, and what that costs on the rest of the web. Generated webs, judged by their own labels.
 *
 *   npm run bench -- tunnels [--cache DIR] [--seeds 3] [--budget 1500]
 */
import { parseArgs } from 'node:util';
import { generateWeb } from '../../datasets/generated-web/web.ts';
import { mean } from '../../src/study/eval/bootstrap.ts';
import { contestantOf } from '../../src/study/eval/contestants.ts';
import { WebGraph } from '../../src/study/eval/graph.ts';
import { Targets } from '../../src/study/eval/measures.ts';
import { judgeByLabels } from '../../src/study/eval/page-judges.ts';
import { type SimulatedRun, simulate } from '../../src/study/eval/simulate.ts';
import { drawTrial } from './focus/draw.ts';
import { foldersOf, openWeb } from './focus/webs.ts';

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: '.cache/frozen' },
    seeds: { type: 'string', default: '3' },
    budget: { type: 'string', default: '1500' },
  },
});
const DEPTHS = [1, 2, 3, 4] as const;
const TUNNELS = [0, 1, 2, 3, 4, 5, 8] as const;
const TOPIC = 'topic-1';

const rows: string[][] = [];
for (const depth of DEPTHS) rows.push(...(await rowsOf(depth)));
const head = ['depth of the tunnels', 'pages to find', ...TUNNELS.map((tunnel) => `--tunnel ${tunnel}`)];
console.log(
  `Recall of all pages of the topic / of those on islands, apprentice, ${values.budget} visits, mean of ${values.seeds} draws.\n`,
);
console.log([head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'));

async function rowsOf(depth: number): Promise<string[][]> {
  const options = { seed: 41, pages: 4000, topics: 4, locality: 0.5, tunnels: { islands: 24, size: 20, depth } };
  const generated = generateWeb(options);
  const web = await openWeb({ kind: 'generated', options }, foldersOf(''), values.cache);
  const graph = await WebGraph.of(web);
  const isOnTopic = (url: string) => generated.isOnTopic(url, TOPIC);
  const topic = { name: TOPIC, split: 'report', web: { kind: 'generated', options }, isOnTopic } as const;
  const cells: string[] = [];
  let toFind = '';
  for (const tunnel of TUNNELS) {
    const found: { readonly all: number; readonly islands: number }[] = [];
    for (let seed = 1; seed <= Number(values.seeds); seed++) {
      const trial = await drawTrial(topic, web, graph, seed);
      const islands = new Map(generated.urlsOf(TOPIC).map((url) => [url, generated.page(url)?.kind === 'island'] as const));
      const contestant = contestantOf('apprentice', trial, tunnel, seed);
      const run = await simulate({
        ...trial,
        ...contestant,
        scorer: contestant.scorer(trial.guide.model.threshold),
        budget: Number(values.budget),
      });
      const from = trial.starts.map((url) => web.indexOf(url));
      const all = new Targets(web, graph, trial.judge, from);
      const own = new Targets(web, graph, judgeByLabels('islands', web, islands, new Set()), from);
      found.push({ all: recallOf(run, all), islands: recallOf(run, own) });
      toFind = `${all.total}, ${own.total} on islands`;
    }
    cells.push(`${mean(found.map(({ all }) => all)).toFixed(2)} / ${mean(found.map(({ islands }) => islands)).toFixed(2)}`);
  }
  web.close();
  return [[String(depth), toFind, ...cells]];
}

function recallOf({ order }: SimulatedRun, targets: Targets): number {
  return (targets.found(order).at(-1) ?? 0) / targets.total;
}
