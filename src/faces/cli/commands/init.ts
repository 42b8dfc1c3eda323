import { resolve } from 'node:path';
import { EXIT } from '../../../base/core/errors.ts';
import { pathWord, shellLine } from '../../../base/text/shell-line.ts';
import type { InitOptions, InitReport } from '../../app/init-project.ts';
import { given, print, printJson, warn } from '../command.ts';
import { type CommandOptions, command, missingError } from '../define.ts';
import { examplesLines, seedLines } from '../init-text.ts';
import { onInterrupt } from '../interrupt.ts';
import { longWork } from '../long-work.ts';
import { clockText } from '../progress.ts';
import { endWorking } from '../working.ts';

export const initCommand = command({
  name: 'init',
  positionals: ['dir'],
  summary: 'start a project: check subject, examples and seeds, and write forager.yaml',
  examples: [
    ['$0 init moss', 'ask for everything, and write moss/forager.yaml'],
    [
      '$0 init --yes --subject moss --contact you@example.org --examples examples.txt --seeds seeds.txt',
      'without questions, in the current directory',
    ],
  ],
  groups: [['Answers', ['subject', 'contact', 'examples', 'keywords', 'seeds', 'scope', 'maxPages', 'yes']]],
  run,
});

/** Answers that have no default. Keywords replace examples. */
const NEEDED = ['subject', 'examples', 'seeds', 'contact'] as const;

async function run({ yes = false, json = false, ...options }: CommandOptions<'init'>): Promise<number> {
  const asks = !yes && !json && process.stdin.isTTY === true && process.stderr.isTTY === true;
  const report = asks ? await byDialogue(options) : await byOptions(options);
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else describe(report, options.dir ?? '.', asks);
  return EXIT.done;
}

type Options = Omit<CommandOptions<'init'>, 'yes' | 'json'>;

async function byOptions(options: Options): Promise<InitReport | null> {
  const missing = NEEDED.filter((name) => options[name] === undefined && !(name === 'examples' && options.keywords !== undefined)).map(
    (name) => `--${name}`,
  );
  if (missing.length > 0) throw missingError(missing, 'init');
  const { init } = await import('../../app/init-project.ts');
  const shown = {
    start: 'checking',
    line: (step: string, ms: number) => `${step}; ${clockText(ms)}`,
    stopping: 'Stopping; nothing is written.',
  };
  return longWork(shown, (signal, onProgress) => init({ ...(options as InitOptions), warn, signal, onProgress }));
}

/** @returns null if the person ended it */
async function byDialogue(options: Options): Promise<InitReport | null> {
  const { refuseExisting } = await import('../../app/init-project.ts');
  const { dialogue, personAt } = await import('../init-dialogue.ts');
  refuseExisting(options);
  endWorking();
  const ended = new AbortController();
  const interrupt = onInterrupt(null);
  const signal = AbortSignal.any([ended.signal, interrupt.signal]);
  const { person, close } = personAt(process.stdin, process.stderr, signal, () => ended.abort());
  try {
    const { delay, userAgent, proxy, allowPrivate } = options;
    const onProgress = (step: string) => person.tell(`${step} …`);
    return await dialogue(person, options, { ...given({ delay, userAgent, proxy, allowPrivate }), signal, onProgress, warn });
  } catch (error) {
    if (!signal.aborted) throw error;
    process.stderr.write('\nNothing is written.\n');
    return null;
  } finally {
    close();
    interrupt.close();
  }
}

function describe({ file, examples, seeds, commands }: InitReport, dir: string, verbose: boolean): void {
  if (!verbose) for (const line of [...examplesLines(examples), ...seedLines(seeds)]) print(line);
  print(`${file}: written. The next commands:`);
  if (resolve(dir) !== process.cwd()) print(`  ${shellLine(['cd', pathWord(dir)])}`);
  for (const line of commands) print(`  ${line}`);
}
