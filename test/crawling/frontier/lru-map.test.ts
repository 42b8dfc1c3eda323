import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LruMap } from '../../../src/crawling/frontier/lru-map.ts';

test('any run: the keys that were used last are there, with the values they were given; looking is no use', () => {
  const action = fc.record({ do: fc.constantFrom('use', 'set', 'get', 'has'), key: fc.constantFrom(...'abcdef') });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (actions, capacity) => {
      const recently = new LruMap<number>(capacity);
      let model: (readonly [string, number])[] = [];
      const put = (key: string, value: number) => {
        model = [...model.filter(([other]) => other !== key), [key, value] as const].slice(-capacity);
      };
      for (const [turn, one] of actions.entries()) {
        const held = model.find(([key]) => key === one.key)?.[1];
        if (one.do === 'use') {
          expect(recently.use(one.key, () => turn)).toBe(held ?? turn);
          put(one.key, held ?? turn);
        } else if (one.do === 'set') {
          expect(recently.set(one.key, turn)).toBe(held);
          put(one.key, turn);
        } else if (one.do === 'get') expect(recently.get(one.key)).toBe(held);
        else {
          expect(recently.has(one.key)).toBe(held !== undefined);
          expect(recently.ownKey(one.key)).toBe(held === undefined ? undefined : one.key);
        }
        expect([...recently.entries()]).toEqual(model);
      }
    }),
  );
});
