import { expect, test } from 'vitest';
import { fieldsIn, fieldsOfChoice, projectChoice, projectCommand } from '../../../src/faces/web-ui/project-answers.ts';

const [BOG, FEN, MIRE] = ['https://bog.example/', 'HTTP://fen.example/a', 'https://mire.example/b'];
const form = (fields: Record<string, string>) =>
  fieldsIn(new URLSearchParams({ subject: 'Peat', contact: 'you@example.org', ownSeeds: 'on', ...fields }));

test.each([
  ['one a line', { examples: `${BOG}\n${FEN}`, seeds: '' }, [BOG, FEN]],
  ['several in a line, among files and folders', { examples: `pages/peat bog\n${BOG} ${MIRE}\nsaved.html`, seeds: '' }, [BOG, MIRE]],
  ['before the other seeds, each once', { examples: `${BOG}\n${FEN}`, seeds: `${MIRE}\n${BOG}` }, [BOG, FEN, MIRE]],
  ['none of them is a URL', { examples: 'pages\nfile://x', seeds: MIRE }, [MIRE]],
  ['they are not wanted', { examples: `${BOG}\n${FEN}`, seeds: MIRE, ownSeeds: '' }, [MIRE]],
  ['keywords in their place', { examples: '', keywords: 'peat', seeds: MIRE }, [MIRE]],
])('examples that are URLs are seeds too: %s', (_name, fields, seeds) => {
  const answered = form(fields);
  expect(projectChoice(answered, false).seeds).toEqual(seeds);
  expect(projectCommand(answered, false).split('--seeds ')[1]).toBe(seeds.join(' '));
});

test('a corrected form shows them among the seeds, and does not add them a second time', () => {
  const choice = projectChoice(form({ examples: `${BOG}\n${FEN}`, seeds: MIRE }), false);
  const again = fieldsOfChoice(choice);
  expect(again).toMatchObject({ ownSeeds: '', seeds: `${BOG}\n${FEN}\n${MIRE}` });
  expect(projectChoice(again, false)).toEqual(choice);
});
