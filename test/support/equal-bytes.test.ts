import { expect, test } from 'vitest';

test('typed arrays with the same bytes are equal, wherever they stand', () => {
  expect([{ bytes: Buffer.from('moss') }]).toEqual([{ bytes: Buffer.from('a moss').subarray(2) }]);
  expect(new Float32Array([Number.NaN, 1])).toStrictEqual(new Float32Array([Number.NaN, 1]));
});

test('another byte, another length and another type are told of', () => {
  const refused = (is: unknown, expected: unknown) => expect(() => expect(is).toEqual(expected)).toThrow('deeply equal');
  refused(Buffer.from('moss'), Buffer.from('most'));
  refused([Buffer.from('moss')], [Buffer.from('mosses')]);
  refused(new Float32Array([1]), new Uint8Array([0, 0, 128, 63]));
  expect(new Float32Array([0])).not.toEqual(new Float32Array([-0]));
});
