import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { TextSet } from '../../../datasets/topics/text-set.ts';
import { DataError, EnvironmentError } from '../../../src/base/core/errors.ts';
import { type Family, type Scorer, wholeText } from './family.ts';

const SCRIPT = fileURLToPath(new URL('tfidf-svm.py', import.meta.url));

/** scikit-learn's tf-idf of words and pairs and LinearSVC, classes balanced; C stays 1. One process of `python` for a set. */
export function sklearn(python: string): Family {
  return { name: 'svm', settings: ['pool', 'labelled'], open: (set) => opened(set, python) };
}

async function opened(set: TextSet, python: string): Promise<Scorer> {
  if (spawnSync(python, ['-c', 'import sklearn'], { stdio: 'ignore' }).status !== 0)
    throw new EnvironmentError(
      `${python} has no scikit-learn: install Debian's python3-sklearn, or say with --python which interpreter has it`,
    );
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  // A process that ended leaves its question unread; that it gives no answer is what counts.
  child.stdin.on('error', () => {});
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = (question: object) => asked(child, answers, question);
  await ask({ texts: set.texts.map(wholeText) });
  return {
    async score({ draw, positives, others }) {
      const { scores } = await ask({ positives, others, test: draw.test });
      return scores ?? null;
    },
    close: () => child.stdin.end(),
  };
}

interface Answer {
  readonly scores?: readonly number[];
}

async function asked(
  child: ChildProcessByStdio<Writable, Readable, null>,
  answers: AsyncIterator<string>,
  question: object,
): Promise<Answer> {
  child.stdin.write(`${JSON.stringify(question)}\n`);
  const answer = await answers.next();
  if (answer.done === true) throw new DataError(`${SCRIPT}: ended in the middle of its work; see what it said above`);
  return JSON.parse(answer.value) as Answer;
}
