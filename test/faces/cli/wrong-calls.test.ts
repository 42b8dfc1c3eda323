/** Wrong calls of people who meet Forager for the first time: each is answered in one line, with the decisive words and the right exit code. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageAnswer, PageSource } from '../../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import { sample } from '../../support/extent.ts';
import { forager } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(40);
const { path, examples } = small;
let web: RunningWeb;
let topic: string;

function file(name: string, content: string | Buffer): string {
  writeFileSync(path(name), content);
  return path(name);
}

function answer(status: number, type: string, body: string | Buffer): PageAnswer {
  return { status, headers: { 'content-type': type }, body: Buffer.from(body) };
}

const ANSWERS: Readonly<Record<string, PageAnswer>> = {
  '/paper.pdf': answer(200, 'application/pdf', '%PDF-1.4'),
  '/letter.docx': answer(200, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK\x03\x04'),
  '/gone': answer(410, 'text/html', 'gone'),
  '/secret': answer(401, 'text/html', 'log in'),
  '/closed': answer(403, 'text/html', 'no'),
  '/broken': answer(500, 'text/html', 'oops'),
};
const source: PageSource = { get: (_, at) => ANSWERS[at] ?? answer(404, 'text/html', 'none') };
const url = (at: string) => `http://errors.example${at}`;

beforeAll(async () => {
  web = await startWebProxy(source);
  topic = await trainedOn(small);
  for (const name of ['words', 'empty-folder', 'documents', 'pipes']) mkdirSync(path(name));
  file('words/notes.txt', 'Rivers flood.\nMoss grows on stone.\n');
  for (const name of ['a.docx', 'b.docx', 'c.odt', 'd.epub']) file(`documents/${name}`, 'PK');
  execFileSync('mkfifo', [path('pipes/list')]);
});
afterAll(async () => {
  await web.close();
  await small.close();
});

type Call = readonly [name: string, code: number, says: readonly string[], args: () => readonly string[]];

const out = () => ['--out', path('no-model')];
const train = (...words: string[]) => ['train', ...words, ...out()];
const crawl = (...words: string[]) => ['crawl', path('no-crawl'), '--topic', topic, ...words];
const proxied = (...words: string[]) => [...words, '--proxy', web.proxy, '--delay', '0'];
const http = 'http://a.example/';
const rendering = (...words: string[]) => crawl('--seeds', http, '--contact', 'a@example.org', '--render', 'auto', ...words);

/** The rows of a newcomer's table that were answered badly, and their kin. */
const ANSWERED_BADLY: readonly Call[] = [
  ['URLs without a scheme', 2, ['looks like URLs without http://'], () => train(file('noscheme.txt', 'www.a.example/x\nb.example\n'))],
  [
    'two lines of prose',
    2,
    ['too few to learn from', '--keywords'],
    () => train(file('prose.txt', 'Rivers flood in spring.\nMoss grows on wet stone.\n')),
  ],
  ['a folder with a few words', 2, ['too few to learn from'], () => train(path('words'))],
  ['one short line of Markdown', 2, ['too few to learn from'], () => train(file('short.md', '# Moss\n'))],
  ['JSON lines of a few words', 2, ['too few to learn from'], () => train(file('short.jsonl', '{"text":"moss"}\n{"text":"peat bog"}\n'))],
  ['a folder of documents', 2, ['2 Word files are not read; save as HTML or text', 'an EPUB is not read'], () => train(path('documents'))],
  ['one Word file', 2, ['is a damaged Word file'], () => train(file('one.docx', 'PK\x03\x04word/document.xml'))],
  [
    'one OpenDocument text',
    2,
    ['is an OpenDocument text'],
    () => train(file('one.odt', 'PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.text')),
  ],
  ['one EPUB', 2, ['is a damaged EPUB'], () => train(file('one.epub', 'PK\x03\x04mimetypeapplication/epub+zip'))],
  ['a PDF', 2, ['is a damaged PDF', 'mend or remove it'], () => train(file('one.pdf', '%PDF-1.7'))],
  ['a PDF by URL', 2, ['is a damaged PDF', 'mend or remove it'], () => proxied(...train(url('/paper.pdf')))],
  ['a Word file by URL', 2, ['a Word file, which is not read'], () => proxied(...train(url('/letter.docx')))],
  ['a dead example', 2, ['HTTP 404'], () => proxied(...train(url('/none')))],
  ['an example that is gone', 2, ['HTTP 410'], () => proxied(...train(url('/gone')))],
  ['an example behind a password', 2, ['HTTP 401', 'password; see --hosts'], () => proxied(...train(url('/secret')))],
  ['a forbidden example', 2, ['HTTP 403', 'forbids'], () => proxied('extract', url('/closed'))],
  ['an empty file', 2, ['empty.txt: is empty'], () => train(file('empty.txt', ''))],
  ['a blank file', 2, ['blank.html: is empty'], () => train(file('blank.html', '\n \n'))],
  [
    'a host as a seed',
    2,
    ['did you mean https://grass.osgeo.org?'],
    () => crawl('--seeds', 'grass.osgeo.org', '--contact', 'a@example.org'),
  ],
  ['a host as an example', 2, ['did you mean https://grass.osgeo.org/manuals?'], () => train('grass.osgeo.org/manuals')],
  ['a host as a scope', 2, ['did you mean host:grass.osgeo.org?'], () => crawl('--seeds', http, '--scope', 'grass.osgeo.org')],
  [
    'a host with a path as a scope',
    2,
    ['did you mean prefix:https://osgeo.org/grass?'],
    () => crawl('--seeds', http, '--scope', 'osgeo.org/grass'),
  ],
  ['a URL as a scope', 2, ['did you mean prefix:https://osgeo.org/?'], () => crawl('--seeds', http, '--scope', 'https://osgeo.org/')],
  [
    'a list of seeds without schemes',
    2,
    ['line 1: www.a.example', 'URLs without http://'],
    () => crawl('--seeds', file('hosts.txt', 'www.a.example\n')),
  ],
  [
    'a mixed list of seeds',
    2,
    ['line 2: b.example/x', 'e.g. https://b.example/x'],
    () => crawl('--seeds', file('mixed.txt', `${http}\nb.example/x\n`)),
  ],
  ['an existing model', 2, ['already holds a model', 'or --force to replace it'], () => ['train', examples, '--out', topic]],
  ['a pipe as a list', 2, ['it is a pipe, not a file'], () => crawl('--seeds', path('pipes/list'))],
  ['a device as a list', 2, ['it is a device, not a file'], () => crawl('--seeds', '/dev/zero')],
  ['a pipe of hosts', 2, ['it is a pipe'], () => crawl('--seeds', http, '--contact', 'a@example.org', '--hosts', path('pipes/list'))],
  [
    'a pipe of owners to leave alone',
    2,
    ['it is a pipe'],
    () => crawl('--seeds', http, '--contact', 'a@example.org', '--opt-out', path('pipes/list')),
  ],
  ['a device of field rules', 2, ['it is a device'], () => crawl('--seeds', http, '--contact', 'a@example.org', '--fields', '/dev/zero')],
  ['a pipe of options', 2, ['it is a pipe'], () => ['crawl', '--config', path('pipes/list')]],
  ['a pipe of off-topic pages', 2, ['it is a pipe'], () => train(examples, '--irrelevant', path('pipes/list'))],
  ['a pipe as a pool', 2, ['it is a pipe'], () => train(examples, '--pool', path('pipes/list'))],
  [
    'a device as a link model',
    2,
    ['it is a device'],
    () => crawl('--seeds', http, '--contact', 'a@example.org', '--link-model', '/dev/zero'),
  ],
  ['a list of nothing', 2, ['nothing.txt: is empty'], () => crawl('--seeds', file('nothing.txt', ''))],
  ['a list of comments', 2, ['has no URL'], () => crawl('--seeds', file('comments.txt', '# later\n'))],
  [
    'an option without effect',
    2,
    ['--csv-text has no effect without --format csv'],
    () => ['harvest', path('none'), '--out', path('h'), '--csv-text'],
  ],
  ['a hexadecimal number', 2, ['--max-pages 0x10', 'not a whole number'], () => crawl('--seeds', http, '--max-pages', '0x10')],
  ['an exponent', 2, ['--max-pages 1e3', 'not a whole number'], () => crawl('--seeds', http, '--max-pages', '1e3')],
];

/** Those that were answered rightly stay so. */
const ANSWERED_RIGHTLY: readonly Call[] = [
  ['an unknown command', 2, ['did you mean crawl?'], () => ['crwal', 'x']],
  ['an unknown option', 2, ['did you mean --seeds?'], () => crawl('--sedes', http)],
  ['an option in place of the command', 2, ['forager'], () => ['--topic', 'x']],
  ['an option without its value', 2, ['its value is missing'], () => ['crawl', path('no-crawl'), '--topic']],
  ['no directory', 2, ['forager'], () => ['crawl']],
  ['options that are no YAML', 2, ['broken.yaml:2'], () => ['crawl', '--config', file('broken.yaml', 'crawl:\n  - dir: moss: more\n')]],
  ['a wrong key of options', 2, ['did you mean max-pages?'], () => ['crawl', '--config', file('typo.yaml', 'crawl:\n  max-pagse: 10\n')]],
  ['options that are not there', 2, ['no-such.yaml'], () => ['crawl', '--config', path('no-such.yaml')]],
  ['no seeds', 2, ['--seeds'], () => crawl()],
  ['no model', 2, ['--topic'], () => ['crawl', path('no-crawl'), '--seeds', http]],
  ['a model that is not there', 2, ['models/none'], () => ['crawl', path('no-crawl'), '--topic', 'models/none', '--seeds', http]],
  ['a folder as a model', 2, [], () => ['crawl', path('no-crawl'), '--topic', examples, '--seeds', http]],
  ['no contact for the whole web', 2, ['--contact'], () => crawl('--seeds', http)],
  ['a contact that is none', 2, ['is neither a mail address nor'], () => crawl('--seeds', http, '--contact', 'nobody')],
  ['a rule of no form', 2, ['unknown form'], () => crawl('--seeds', http, '--scope', 'moss')],
  ['a rule without its value', 2, ['a rule is host:NAME'], () => crawl('--seeds', http, '--scope', 'host:')],
  ['an expression that is none', 2, ['regex'], () => crawl('--seeds', http, '--scope', 'regex:(')],
  ['an expression with look-ahead', 2, ['look-ahead'], () => crawl('--seeds', http, '--scope', 'regex:a(?=b)')],
  ['a span that is none', 2, ['not a span of time'], () => crawl('--seeds', http, '--delay', 'soon')],
  ['a budget in words', 2, ['not a whole number'], () => crawl('--seeds', http, '--max-pages', 'many')],
  ['a negative budget', 2, ['not a whole number'], () => crawl('--seeds', http, '--max-pages=-5')],
  ['a strategy that is none', 2, ['apprentice'], () => crawl('--seeds', http, '--strategy', 'best')],
  ['a share without percent', 2, ['not a share'], () => crawl('--seeds', http, '--explore', '0.1')],
  ['a limit in words', 2, ['write e.g. 2%/500'], () => crawl('--seeds', http, '--stop-yield', 'low')],
  ['a moment in words', 2, ['write e.g. 15@80'], () => crawl('--seeds', http, '--ask', 'often')],
  ['a port that is none', 2, ['99999'], () => crawl('--seeds', http, '--contact', 'a@example.org', '--metrics', '99999')],
  ['a browser that is none', 2, ['is not a program', 'apt install chromium', '--browser'], () => rendering('--browser', path('words'))],
  ...(process.getuid?.() === 0 ? [['a browser of root', 2, ['--no-sandbox'], () => rendering('--browser', '/bin/true')] as const] : []),
  ['a browser without pages to render', 2, ['without --render auto'], () => crawl('--seeds', http, '--browser', '/bin/true')],
  ['a switch with a wrong state', 2, ['not one of on, off'], () => crawl('--seeds', http, '--cookies', 'no')],
  ['a switch on and off', 2, ['exclude each other'], () => crawl('--seeds', http, '--cookies', '--no-cookies')],
  [
    'one topic twice',
    2,
    ['topic'],
    () => ['crawl', path('no-crawl'), '--topic', topic, '--topic', topic, '--seeds', http, '--contact', 'a@example.org'],
  ],
  ['a scheme with a typing mistake', 2, ['did you mean https://a.example/'], () => crawl('--seeds', 'htp://a.example/')],
  ['a folder as a list', 2, ['a folder'], () => crawl('--seeds', examples)],
  ['no examples', 2, ['no examples'], () => ['train', ...out()]],
  ['examples that are not there', 2, ['no such file or folder'], () => train(path('nothing-here'))],
  ['an empty folder', 2, ['has no example pages'], () => train(path('empty-folder'))],
  ['examples and keywords', 2, ['give one of the two'], () => train(examples, '--keywords', 'moss')],
  ['empty keywords', 2, ['the query is empty'], () => train('--keywords', ' ')],
  ['keywords of NOT alone', 2, ['at least one word that is wanted'], () => train('--keywords', 'NOT moss')],
  ['a query with an open bracket', 2, ['moss'], () => train('--keywords', '(moss')],
  ['a precision of a hundred', 2, ['not a number from 0 to 1'], () => train(examples, '--precision', '90')],
  ['no place for the model', 2, ['--out'], () => ['train', examples]],
  ['a line that is no JSON', 2, [':2: is not JSON'], () => train(file('bad.jsonl', '{"text":"a"}\nno\n'))],
  ['a crawl that is not there: status', 2, ['no crawl'], () => ['status', path('nowhere')]],
  ['a crawl that is not there: ledger', 2, ['no crawl'], () => ['ledger', path('nowhere')]],
  ['a crawl that is not there: harvest', 2, ['no crawl'], () => ['harvest', path('nowhere'), '--out', path('h')]],
  ['a crawl that is not there: label', 2, ['no crawl'], () => ['label', path('nowhere')]],
  ['a crawl that is not there: why', 2, ['no crawl'], () => ['why', path('nowhere'), http]],
  ['a crawl that is not there: verify', 2, ['no crawl'], () => ['verify', path('nowhere')]],
  ['a crawl that is not there: seeds', 2, ['no crawl'], () => ['seeds', path('nowhere')]],
  ['a crawl that is not there: freeze', 2, ['no crawl'], () => ['freeze', path('nowhere'), '--out', path('w.gz')]],
  ['a format that is none', 2, ['xlsx', 'jsonl'], () => ['harvest', path('nowhere'), '--out', path('h'), '--format', 'xlsx']],
  ['a state that is none', 2, ['not one of'], () => ['ledger', path('nowhere'), '--state', 'waiting-for-godot']],
  ['a language in words', 2, ['did you mean en'], () => ['harvest', path('nowhere'), '--out', path('h'), '--lang', 'english']],
  ['shares that are not 100', 2, ['add up to 100'], () => ['harvest', path('nowhere'), '--out', path('h'), '--split', '80/30']],
  ['measuring and training', 2, ['label audit does not read it'], () => ['label', path('nowhere'), '--audit', '5', '--every', '5']],
  ['a file that is not there', 2, ['no such file'], () => ['extract', path('no-page.html')]],
  ['a corpus action that is none', 2, ['merge'], () => ['corpus', 'join', 'a', 'b']],
  ['a shell that is none', 2, ['bash'], () => ['completion', 'powershell']],
  [
    'a proxy that does not answer',
    3,
    ['127.0.0.1:9'],
    () => crawl('--seeds', http, '--contact', 'a@example.org', '--proxy', 'http://127.0.0.1:9'),
  ],
  ['a proxy that is no URL', 2, ['proxy'], () => crawl('--seeds', http, '--contact', 'a@example.org', '--proxy', 'moss')],
];

/** `npm test` makes every third call. */
function everyThird(calls: readonly Call[]): readonly Call[] {
  return sample(
    calls,
    calls.map((_, i) => 3 * i),
  );
}

async function answered([name, code, says, args]: Call): Promise<void> {
  const ended = await forager(...args());
  const last = ended.stderr.trimEnd().split('\n').at(-1) ?? '';
  expect({ name, code: ended.code, said: last }).toEqual({ name, code, said: expect.stringMatching(/^forager: .+/) });
  const all = ended.stderr;
  for (const part of says) expect({ name, all }).toEqual({ name, all: expect.stringContaining(part) });
  expect({ name, bug: all.includes('this is a bug') }).toEqual({ name, bug: false });
}

test.each(everyThird(ANSWERED_BADLY))('%s', (...call) => answered(call));
test.each(ANSWERED_RIGHTLY)('%s', (...call) => answered(call));
