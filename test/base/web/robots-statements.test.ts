/** Statements in robots.txt: the table of draft-ietf-aipref-attach, content signals, and licences of RSL. */
import { describe, expect, test } from 'vitest';
import { parseRobots } from '../../../src/base/web/robots.ts';
import { MAX_STATEMENTS } from '../../../src/base/web/robots-statements.ts';
import { combinedUses } from '../../../src/base/web/use-words.ts';
import { expectWithin } from '../../support/cpu-time.ts';

const of = (file: string, path = '/x') => parseRobots(file, 'Forager').statements(`http://h.example${path}`);
const usesOf = (file: string, path?: string) => combinedUses(of(file, path).map(({ uses }) => uses));
const [NO, YES] = [{ 'train-ai': 'disallow' }, { 'train-ai': 'allow' }];
const ALL = 'User-agent: *\n';

describe('Content-Usage', () => {
  const example = `${ALL}Allow: /\nDisallow: /never/\nContent-Usage: / train-ai=n\nContent-Usage: /ai-ok/ train-ai=y

User-Agent: Forager-other\nAllow: /\nContent-Usage: / train-ai=y\n`;
  test.each([
    ['/test', NO],
    ['/never/test', {}],
    ['/ai-ok/test', YES],
    ['/ai-ok', NO],
  ])('the example of the draft, %s', (path, uses) => {
    expect(usesOf(example, path)).toEqual(uses);
    expect(usesOf(example.replaceAll('Forager-other', 'forager'), path)).toEqual(YES);
  });

  test.each([
    ['a rule without a path applies to all', `${ALL}Content-Usage: train-ai=n\n`, '/x', NO],
    ['the longer path alone counts', `${ALL}Content-Usage: train-ai=n\nContent-Usage: /open/ train-ai=y\n`, '/open/a', YES],
    ['in any order', `${ALL}Content-Usage: /open/ train-ai=y\nContent-Usage: train-ai=n\n`, '/open/a', YES],
    ['equal paths apply both', `${ALL}Content-Usage: /a train-ai=y\nContent-Usage: /a train-ai=n\n`, '/a', NO],
    ['a comment ends the value', `${ALL}Content-Usage: train-ai=n # note\n`, '/x', NO],
    ['blanks and tabs around', `${ALL}\t content-USAGE \t:\t /x \t train-ai=n \t\n`, '/x', NO],
    ['a path is percent-encoded', `${ALL}Content-Usage: /%7Euser train-ai=n\n`, '/~user/a', NO],
    ['wildcards', `${ALL}Content-Usage: /*.pdf$ train-ai=n\n`, '/a/b.pdf', NO],
    ['wildcards that do not match', `${ALL}Content-Usage: /*.pdf$ train-ai=n\n`, '/a/b.pdfx', {}],
    ['the query is a part of the path', `${ALL}Content-Usage: /a?b train-ai=n\n`, '/a?b=1', NO],
    ['another value than a dictionary says nothing', `${ALL}Content-Usage: / Train-AI=n\n`, '/x', {}],
    ['another crawler', 'User-agent: other\nContent-Usage: train-ai=n\n', '/x', {}],
    ['two agents of one group', 'User-agent: other\nUser-agent: forager\nContent-Usage: train-ai=n\n', '/x', NO],
    ['no path and no preference', `${ALL}Content-Usage:\n`, '/x', {}],
    ['a label without a colon is none', `${ALL}Content-Usage / train-ai=n\n`, '/x', {}],
  ])('%s', (_name, file, path, uses) => {
    expect(usesOf(file, path)).toEqual(uses);
  });

  test('it is kept as written, with its path', () => {
    expect(of(`${ALL}Content-Usage:  /a   train-ai=n;x=1,  Foo=y # c\n`, '/a')).toEqual([
      { protocol: 'content-usage', from: 'robots', statement: 'train-ai=n;x=1,  Foo=y', path: '/a', understood: false, uses: {} },
    ]);
  });

  test('it does not end the list of agents that Disallow applies to', () => {
    const file = 'User-agent: a\nContent-Usage: train-ai=n\nUser-agent: forager\nDisallow: /\n';
    expect(parseRobots(file, 'Forager').allows('/x')).toBe(false);
    expect(parseRobots(file.replace('forager', 'b'), 'a').allows('/x')).toBe(false);
    expect(usesOf(`${file}Allow: /x\n`)).toEqual({});
  });

  test('before any group it applies to nobody, and is kept', () => {
    expect(of(`Content-Usage: train-ai=n\n${ALL}Allow: /\n`)).toMatchObject([{ statement: 'train-ai=n', understood: false, uses: {} }]);
  });
});

test.each([
  ['in a group', `${ALL}Content-Signal: search=yes, ai-train=no\nAllow: /\n`, { search: 'allow', ...NO }],
  ['in another spelling', `${ALL}Content-signal: search=yes,ai-train=no\n`, { search: 'allow', ...NO }],
  ['in several lines', `${ALL}Content-Signal: ai-train=yes\nContent-Signal: ai-train=no\n`, NO],
  ['of another group', `User-agent: x\nContent-Signal: ai-train=no\n\n${ALL}Allow: /\n`, {}],
  ['before any group', `Content-Signal: ai-train=no\n${ALL}Allow: /\n`, {}],
  ['with a path, which the policy does not know', `${ALL}Content-Signal: /x ai-train=no\n`, {}],
])('Content-Signal %s', (_where, file, uses) => {
  expect(usesOf(file)).toEqual(uses);
});

test('License: is of all crawlers, wherever it stands, and an address', () => {
  const file = `License: https://a.example/one.xml\nUser-agent: x\nLicense: https://b.example/two.xml\nLicense: three.xml\n${ALL}Allow: /\n`;
  expect(of(file).map(({ protocol, statement, understood }) => [protocol, statement, understood])).toEqual([
    ['rsl', 'https://a.example/one.xml', true],
    ['rsl', 'https://b.example/two.xml', true],
    ['rsl', 'three.xml', false],
  ]);
  expect(of(`${ALL}License agreement of this file\n`)).toEqual([]);
});

test('a file with very many statements is read in linear time, and its first ones count', () => {
  const file = ALL + 'Content-Usage: /*a*b*c train-ai=n\n'.repeat(14_000);
  const path = `/${'ab'.repeat(1000)}c`;
  expectWithin(2000, () => expect(of(file, path)).toHaveLength(MAX_STATEMENTS));
});
