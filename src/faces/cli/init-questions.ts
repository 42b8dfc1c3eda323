/** The questions of `forager init`, in their order. */

import { UsageError } from '../../base/core/errors.ts';
import { isPathThere } from '../../base/core/on-disk.ts';
import { parseScope } from '../../base/web/scope.ts';
import { probeProxy } from '../../crawling/fetch/probe-proxy.ts';
import { isSeed } from '../../crawling/input/url-file.ts';
import { SETTINGS } from '../../crawling/settings/settings.ts';
import { ENOUGH_EXAMPLES } from '../../reading/topic/enough-examples.ts';
import {
  type CheckOptions,
  checkContact,
  checkSeeds,
  checkSubject,
  checkWanted,
  DEFAULT_MAX_PAGES,
  type InitOptions,
  type InitReport,
} from '../app/init-project.ts';
import { examplesLines, seedLines } from './init-text.ts';

/** The answers so far: those of the options and of the person, and their findings. */
export interface Draft {
  readonly answers: Partial<InitOptions>;
  /** The person has no examples. */
  readonly byKeywords: boolean;
  /** Examples to start from; null before that question. */
  readonly own: readonly string[] | null;
  readonly examples: InitReport['examples'];
  readonly seeds: InitReport['seeds'];
}

/** One question, and an answer that an option gives. */
export interface InitQuestion {
  /** null if the answer is known or not needed. */
  text(draft: Draft): string | null;
  /** @throws CrawlerError */
  read(answer: string, draft: Draft): Draft;
  /** Adds findings. @throws CrawlerError if the answer cannot be used */
  check?(draft: Draft, network: CheckOptions, tell: (line: string) => void): Draft | Promise<Draft>;
}

type Name = 'subject' | 'contact' | 'proxy' | 'examples' | 'keywords' | 'seeds' | 'scope' | 'documents' | 'maxPages';

function answered<K extends Name>(draft: Draft, name: K, value: InitOptions[K]): Draft {
  return { ...draft, answers: { ...draft.answers, [name]: value } };
}

/** A question for one option, which need not be asked if the option is given. */
function asking<K extends Name>(
  name: K,
  text: string | ((draft: Draft) => string),
  read: (answer: string, draft: Draft) => InitOptions[K],
  check?: (value: InitOptions[K]) => void | Promise<void>,
): InitQuestion {
  return {
    text: (draft) => (draft.answers[name] !== undefined ? null : typeof text === 'string' ? text : text(draft)),
    read: (answer, draft) => answered(draft, name, read(answer, draft)),
    check: async (draft) => {
      const value = draft.answers[name];
      if (value !== undefined) await check?.(value);
      return draft;
    },
  };
}

const trimmed = (answer: string) => answer.trim();

const proxy = asking(
  'proxy',
  'Proxy for all requests, e.g. http://proxy.example.org:3128 [none]: ',
  (answer) => (trimmed(answer) === '' ? 'none' : SETTINGS.proxy.kind.read([trimmed(answer)], '--proxy')),
  (value) => probeProxy(value === 'none' ? null : value),
);

const examples: InitQuestion = {
  text: ({ answers, byKeywords }) =>
    answers.examples !== undefined || answers.keywords !== undefined || byKeywords
      ? null
      : `Example pages, a folder, files, or URLs; ${ENOUGH_EXAMPLES} or more are best [Enter to give keywords instead]: `,
  read: (answer, draft) => (trimmed(answer) === '' ? { ...draft, byKeywords: true } : answered(draft, 'examples', inputsOf(answer))),
  check: async (draft, network, tell) => {
    if (draft.byKeywords) return draft;
    const found = await checkWanted(draft.answers, network);
    for (const line of examplesLines(found)) tell(line);
    return { ...draft, examples: found };
  },
};

const keywords: InitQuestion = {
  text: ({ answers, byKeywords }) => (byKeywords && answers.keywords === undefined ? 'Keywords, e.g. peat bog, sphagnum: ' : null),
  read: (answer, draft) => answered(draft, 'keywords', trimmed(answer)),
  check: async (draft, network) => {
    if (draft.byKeywords) await checkWanted({ keywords: draft.answers.keywords ?? '' }, network);
    return draft;
  },
};

/** Examples with URLs may be seeds too. */
const ownSeeds: InitQuestion = {
  text: ({ answers, own }) =>
    own === null && answers.seeds === undefined && (answers.examples ?? []).some(isSeed) ? 'Also start from your examples? [yes]: ' : null,
  read: (answer, draft) => ({ ...draft, own: isYes(answer) ? (draft.answers.examples ?? []).filter(isSeed) : [] }),
};

const seeds: InitQuestion = {
  text: ({ answers, own }) => {
    if (answers.seeds !== undefined) return null;
    return (own ?? []).length > 0 ? 'More seeds, URLs or a file of them [none]: ' : 'Seeds, URLs to start from, or a file of them: ';
  },
  read: (answer, draft) => answered(draft, 'seeds', [...(draft.own ?? []), ...inputsOf(answer)]),
  check: async (draft, network, tell) => {
    const hosts = await checkSeeds(draft.answers.seeds ?? [], network);
    for (const line of seedLines(hosts)) tell(line);
    return { ...draft, seeds: hosts };
  },
};

export const QUESTIONS: readonly InitQuestion[] = [
  asking('subject', 'Subject, in a few words; it names the folders: ', trimmed, checkSubject),
  asking('contact', 'Contact for site owners, a mail address or URL, sent with every request: ', trimmed, checkContact),
  proxy,
  examples,
  keywords,
  ownSeeds,
  seeds,
  asking(
    'scope',
    'Scope, where the crawl may go, e.g. domain:example.org [everywhere]: ',
    (answer) => (trimmed(answer) === 'everywhere' ? [] : inputsOf(answer)),
    (rules) => void parseScope(rules ?? []),
  ),
  asking('documents', 'Documents to read as pages, e.g. pdf,docx, or all [none]: ', (answer) =>
    SETTINGS.documents.kind.read([trimmed(answer) === '' ? 'none' : trimmed(answer)], '--documents'),
  ),
  asking('maxPages', `Budget, the number of URLs to visit [${DEFAULT_MAX_PAGES}]: `, (answer) =>
    trimmed(answer) === '' ? DEFAULT_MAX_PAGES : SETTINGS.maxPages.kind.read([trimmed(answer)], '--max-pages'),
  ),
];

/** @throws UsageError */
function isYes(answer: string): boolean {
  const word = trimmed(answer).toLowerCase();
  if (word === '' || word === 'y' || word === 'yes') return true;
  if (word === 'n' || word === 'no') return false;
  throw new UsageError(`${word}: answer yes or no`);
}

/** A path with spaces counts as one if it exists. */
function inputsOf(answer: string): string[] {
  const whole = answer.trim();
  return isPathThere(whole) ? [whole] : whole.split(/\s+/).filter((word) => word !== '');
}
