import { expect, test } from 'vitest';
import { isPlainName, isPlainPath } from '../../../src/base/core/plain-names.ts';

test.each(['model.json', 'forager-00000.warc.gz', '.hidden', 'a b', 'Übung.txt', '苔', 'console.log', 'com10', 'aux-1', '0f3a9c'])(
  '%j is the name of a file',
  (name) => expect([isPlainName(name), isPlainPath(`models/${name}`)]).toEqual([true, true]),
);

test.each([
  ...[
    '',
    '.',
    '..',
    '...',
    'a.',
    'a ',
    '/',
    'a/b',
    '/etc/passwd',
    '..\\outside',
    'C:',
    'C:\\a',
    'a:stream',
    'a\0.txt',
    'a\nb',
    '\u202egnp.exe',
  ],
  ...[
    'CON',
    'con.txt',
    'Nul',
    'aux.json.gz',
    'COM1',
    'lpt9.log',
    'COM¹',
    'conout$',
    'a\u2028',
    'wh?t',
    'a*',
    '"a"',
    '<a>',
    'a|b',
    '\ud800',
  ],
  'n'.repeat(256),
  '苔'.repeat(86),
])('%j is none', (name) => expect([isPlainName(name), isPlainPath(`models/${name}`)]).toEqual([false, name === 'a/b']));

test.each(['/models/a', 'models//a', 'models/', '../models/a', 'models/../../a', 'models/./a', 'models\\a', ''])(
  '%j is no path below a folder',
  (path) => expect(isPlainPath(path)).toBe(false),
);
