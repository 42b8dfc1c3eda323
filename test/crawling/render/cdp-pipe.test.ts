import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type CdpEvent, CdpPipe } from '../../../src/crawling/render/cdp-pipe.ts';

function connected() {
  const [output, input] = [new PassThrough(), new PassThrough()];
  let ends = 0;
  const pipe = new CdpPipe(output, input, () => {
    ends += 1;
  });
  const sent = () => String(output.read() ?? '');
  return { pipe, input, sent, ended: () => ends };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a call ends with a NUL, and its answer may come in pieces and out of order', async () => {
  const { pipe, input, sent } = connected();
  const [first, second] = [pipe.send('A.first', { n: 1 }, '', 1000), pipe.send('A.second', {}, 's1', 1000)];
  expect(sent()).toBe('{"id":1,"method":"A.first","params":{"n":1}}\0{"id":2,"method":"A.second","params":{},"sessionId":"s1"}\0');
  const answers = Buffer.from('{"id":2,"result":{"text":"zwölf"}}\0{"id":1,"result":{"n":2}}\0');
  const middle = answers.indexOf('\u00f6') + 1;
  input.write(answers.subarray(0, middle));
  await turn();
  input.write(answers.subarray(middle));
  expect(await second).toEqual({ text: 'zwölf' });
  expect(await first).toEqual({ n: 2 });
});

test('a call fails when the browser refuses it, gives no answer in time, or has ended', async () => {
  const { pipe, input, ended } = connected();
  const refused = pipe.send('A.b', {}, '', 1000);
  input.write('{"id":1,"error":{"code":-1,"message":"not found"}}\0');
  await expect(refused).rejects.toMatchObject({ reason: 'refused', message: 'A.b: not found' });
  await expect(pipe.send('A.b', {}, '', 5)).rejects.toMatchObject({ reason: 'late' });
  const open = pipe.send('A.b', {}, '', 1000);
  input.destroy();
  await expect(open).rejects.toMatchObject({ reason: 'ended' });
  await expect(pipe.send('A.b', {}, '', 1000)).rejects.toMatchObject({ reason: 'ended' });
  expect(ended()).toBe(1);
});

test('events reach the listener of their session alone; a late answer and a strange message reach nobody', async () => {
  const { pipe, input } = connected();
  const heard: CdpEvent[] = [];
  pipe.listen('', (event) => heard.push(event));
  pipe.listen('s1', (event) => heard.push(event));
  pipe.listen('s2', (event) => heard.push(event));
  pipe.listen('s2', null);
  input.write(
    '{"method":"T.a","params":{"x":1}}\0{"method":"T.b","sessionId":"s1"}\0{"method":"T.c","sessionId":"s2"}\0{"id":99,"result":{}}\0{}\0',
  );
  await turn();
  expect(heard).toEqual([
    { method: 'T.a', params: { x: 1 }, session: '' },
    { method: 'T.b', params: {}, session: 's1' },
  ]);
});

test('bytes that are no message end the connection', async () => {
  const { pipe, input, ended } = connected();
  const open = pipe.send('A.b', {}, '', 1000);
  input.write('no JSON\0');
  await expect(open).rejects.toMatchObject({ reason: 'ended' });
  expect(ended()).toBe(1);
});
