import { EXIT, UsageError } from '../../core/errors.ts';
import type { CorpusCard, Dedupe, HarvestFormat } from '../../corpus/corpus-card.ts';
import type { HarvestProgress } from '../../corpus/harvest.ts';
import {
  type Args,
  type Command,
  choiceOf,
  flag,
  flagOf,
  given,
  listOf,
  measure,
  print,
  printJson,
  requiredText,
  several,
  text,
  unitOf,
  warn,
} from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { counted, countText, Progress, rateAndEta } from '../progress.ts';

const FORMATS = ['jsonl', 'warc', 'text'] as const satisfies readonly HarvestFormat[];
const DEDUPES = ['exact', 'none'] as const satisfies readonly Dedupe[];

export const harvestCommand: Command = {
  name: 'harvest <dir>',
  summary: 'make a corpus with its card out of a crawl',
  options: (argv) =>
    argv
      .positional('dir', { type: 'string', describe: 'crawl directory' })
      .options({
        out: text('folder for the corpus; must be new or empty', { demandOption: true }),
        format: several(`any of ${FORMATS.join(',')}`, { defaultDescription: 'jsonl' }),
        'min-relevance': measure('least relevance, a number from 0 to 1', "the topic's threshold"),
        lang: several('only these languages, e.g. en,de', { defaultDescription: 'all' }),
        dedupe: text('exact keeps one page of each main text, none keeps all', { defaultDescription: 'exact' }),
        force: flag('replace an earlier harvest at --out'),
        json: flag('print the card as JSON'),
      })
      .example('$0 harvest crawls/moss --out corpora/moss --format jsonl,warc --lang en', 'English pages as JSONL and WARC'),
  run,
};

async function run(args: Args): Promise<number> {
  const formats = listOf(args, 'format', true).map(formatOf);
  const options = {
    dir: requiredText(args, 'dir'),
    out: requiredText(args, 'out'),
    languages: listOf(args, 'lang', true),
    force: flagOf(args, 'force'),
    ...given({
      formats: formats.length > 0 ? formats : undefined,
      minRelevance: unitOf(args, 'min-relevance'),
      dedupe: choiceOf(args, 'dedupe', DEDUPES),
    }),
  };
  const { harvest } = await import('../../app/harvest.ts');
  const startedAt = Date.now();
  let at: HarvestProgress = { stage: 'select', done: 0, total: null };
  const progress = new Progress(
    () =>
      `${at.stage} ${countText(at.done)}${at.total === null ? '' : ` of ${countText(at.total)}`}; ${rateAndEta(at.done, at.total, Date.now() - startedAt)}`,
  );
  const interrupt = onInterrupt('Stopping: --out stays as it was.');
  try {
    const { outDir, card } = await harvest({
      ...options,
      signal: interrupt.signal,
      progress: (now) => {
        at = now;
      },
    });
    progress.close();
    if (flagOf(args, 'json')) printJson(card);
    else {
      const { read, kept, belowRelevance, otherLanguage, duplicates } = card.records;
      print(
        `${outDir}: ${counted(kept, 'page')} of ${countText(read)} (${countText(belowRelevance)} below relevance, ${countText(otherLanguage)} in other languages, ${counted(duplicates, 'duplicate')}) from ${counted(card.hosts.count, 'host')}`,
      );
      for (const file of card.files) print(`  ${file.name}  ${countText(file.bytes)} bytes`);
      print('  corpus-card.md says what it is and how to cite it');
    }
    if (card.records.kept === 0) warn(`the corpus has no page: ${whyEmpty(card.records, options.minRelevance === undefined)}`);
    return EXIT.done;
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    progress.close();
    interrupt.close();
  }
}

/** @param byModel is it the model in force that says what relevance is too low? */
function whyEmpty({ read, belowRelevance, otherLanguage }: CorpusCard['records'], byModel: boolean): string {
  if (read === 0) return 'the crawl has kept none; look at it with forager status';
  const bar = byModel
    ? 'the threshold of the model that labels put in force (--min-relevance 0 takes all, forager label --undo-training takes the training back)'
    : '--min-relevance';
  if (otherLanguage === 0) return `the ${countText(belowRelevance)} of the crawl are all below ${bar}`;
  const below = belowRelevance > 0 ? `, ${countText(belowRelevance)} below ${bar}` : '';
  return `${countText(otherLanguage)} of the crawl are in other languages than --lang${below}`;
}

function formatOf(word: string): HarvestFormat {
  const format = FORMATS.find((known) => known === word);
  if (!format) throw new UsageError(`--format ${word}: not one of ${FORMATS.join(', ')}`);
  return format;
}
