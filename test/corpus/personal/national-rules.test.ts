/** Each rule of a national number against `stdnum`, another implementation, on numbers with every check digit. */
import { readFileSync } from 'node:fs';
import { stdnum } from 'stdnum';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { NATIONAL_RULES } from '../../../src/corpus/personal/national-rules.ts';

/** Stems without check digits (`d` any digit, `L` any letter), the signs of the last places, and the names of the rule and of `stdnum`. */
const STEMS = [
  ['BE NN', 'BE', 'nn', '05073dddd', 2],
  ['BG EGN', 'BG', 'egn', '85032dddd', 1],
  ['BR CPF', 'BR', 'cpf', 'ddddddddd', 2],
  ['CA SIN', 'CA', 'sin', '4ddddddd', 1],
  ['CH AHV', 'CH', 'ssn', '756ddddddddd', 1],
  ['CL RUT', 'CL', 'rut', '12dddddd-', 1],
  ['CN RIC', 'CN', 'ric', '11010519870d1dddd', 1],
  ['CZ RC', 'CZ', 'rc', '72032dddd', 1],
  ['EE IK', 'EE', 'ik', '385031dddd', 1],
  ['ES DNI', 'ES', 'dni', 'dddddddd', 1],
  ['FI HETU', 'FI', 'hetu', '15038d-ddd', 1],
  ['FR NIR', 'FR', 'nir', '185057800dddd', 2],
  ['HR OIB', 'HR', 'oib', 'dddddddddd', 1],
  ['IE PPS', 'IE', 'pps', 'ddddddd', 1],
  ['IN Aadhaar', 'IN', 'aadhaar', '4ddddddddd3', 1],
  ['IT CF', 'IT', 'codicefiscale', 'RSSMRA8dH1dF205', 1],
  ['KR RRN', 'KR', 'rrn', '971013-1ddddd', 1],
  ['MX CURP', 'MX', 'curp', 'BOXW31020dHNERXN0', 1],
  ['NL BSN', 'NL', 'bsn', '1ddddddd', 1],
  ['NO FNR', 'NO', 'fodselsnummer', '15038d2dd', 2],
  ['PL PESEL', 'PL', 'pesel', '85031ddddd', 1],
  ['PT NIF', 'PT', 'nif', '2ddddddd', 1],
  ['RO CNP', 'RO', 'cnp', '18503171ddd3', 1],
  ['RS JMBG', 'RS', 'jmbg', '010398571ddd', 1],
  ['SE PNR', 'SE', 'personnummer', '85031d-ddd', 1],
  ['TR TCKN', 'TR', 'tckimlik', '1dddddddd', 2],
  ['TW ID', 'TW', 'natid', 'A1ddddddd', 1],
  ['ZA ID', 'ZA', 'idnr', '85031ddddd08', 1],
] as const;

const SIGNS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

test.each(STEMS)('%s has the check digits of stdnum', (name, country, other, form, places) => {
  const rule = NATIONAL_RULES.find((one) => one.name === name);
  const validator = stdnum[country]?.[other];
  const rng = seededRng(5);
  let valid = 0;
  for (let stem = 0; stem < 30; stem++) {
    const head = form.replace(/d/g, () => String(Math.floor(rng() * 10)));
    for (const tail of places === 1 ? SIGNS : SIGNS.slice(0, 10).flatMap((a) => SIGNS.slice(0, 10).map((b) => a + b))) {
      const number = head + tail;
      if (!new RegExp(`^(?:${rule?.written})$`).test(number)) continue;
      const expected = validator?.validate(number).isValid;
      expect([number, rule?.isValid(name === 'FI HETU' ? number : number.replace('-', ''))]).toEqual([number, expected]);
      valid += Number(expected);
    }
  }
  expect(valid).toBeGreaterThan(0);
});

test('the German number has its check digit; stdnum also counts its digits, by a rule that changed', () => {
  const rule = NATIONAL_RULES.find(({ name }) => name === 'DE IdNr');
  const others = SIGNS.slice(0, 10).map((digit) => `3657426180${digit}`);
  expect(others.filter((number) => rule?.isValid(number))).toEqual(['36574261809']);
});

test('every rule is checked here, and has a row with its source on the page of personal data', () => {
  const page = readFileSync('docs/reference/personal-data.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z]{2} \w+)` \|.*\]\(https?:\/\/\S+\) \|$/gm)].map(([, name]) => name);
  const names = NATIONAL_RULES.map(({ name }) => name);
  expect(rows).toEqual(names);
  expect([...STEMS.map(([name]) => name), 'DE IdNr'].sort()).toEqual([...names].sort());
});
