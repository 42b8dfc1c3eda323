import { expect, test } from 'vitest';
import { namesIn } from '../../../src/reading/extract/author-names.ts';

test.each<readonly [written: string, names: readonly string[]]>([
  ['Ada Vale', ['Ada Vale']],
  ['By  Ada Vale', ['Ada Vale']],
  ['Written by Ada Vale and Otto Gale', ['Ada Vale', 'Otto Gale']],
  ['Ada Vale & Otto van der Gale', ['Ada Vale', 'Otto van der Gale']],
  ['A. B. Vale, Otto Gale, and Ines de la Cruz', ['A. B. Vale', 'Otto Gale', 'Ines de la Cruz']],
  ['Ada Vale und Otto Gale', ['Ada Vale', 'Otto Gale']],
  ['Vale, A.; Gale, O.', ['Vale, A.', 'Gale, O.']],
  ['川上花子、山田太郎', ['川上花子', '山田太郎']],
  ['Ada Vale | ada@vale.example', ['Ada Vale']],
  ['Ada Vale <ada@vale.example>', ['Ada Vale']],
  ['Ada Vale | Canal News', ['Ada Vale']],
  ['Ada Vale, PhD', ['Ada Vale']],
  ['Ada Vale; others., ` `%%%`#`&12_`__~~~ॲ', ['Ada Vale']],
  ['þÿ\\000A\\000d\\000a', ['þÿ\\000A\\000d\\000a']],
  ['*** !!! x', []],
  ['A. B. V.', ['A. B. V.']],
  ['user3080392', ['user3080392']],
  ['Dr. Ada Vale, MD, FACS', ['Ada Vale']],
  ['Prof. Dr. Otto Gale', ['Otto Gale']],
  ['Ada Vale, Senior Editor', ['Ada Vale']],
  ['Ada Vale, Chief Engineer and Head of Locks', ['Ada Vale']],
  ['Ada Vale et al.', ['Ada Vale']],
  ['Ada Vale, Otto Gale, Ines de la Cruz', ['Ada Vale', 'Otto Gale', 'Ines de la Cruz']],
  ['View all posts by Ada Vale', ['Ada Vale']],
  ['Anna Parker and Ben Cooper', ['Anna Parker', 'Ben Cooper']],
  // Family name first, or a paper: two parts stay together.
  ['García Márquez, Gabriel José', ['García Márquez, Gabriel José']],
  ['Author: Ada Vale', ['Ada Vale']],
  // An `and` inside one name.
  ['Ministry of Food and Agriculture', ['Ministry of Food and Agriculture']],
  ['Centers for Disease Control and Prevention', ['Centers for Disease Control and Prevention']],
  ['Johnson and Johnson', ['Johnson and Johnson']],
  ['José Ortega y Gasset', ['José Ortega y Gasset']],
  ['Locks & Weirs Ltd', ['Locks & Weirs Ltd']],
  ['Space.com', ['Space.com']],
  // No names.
  ['ada@vale.example', []],
  ['https://canal.example/ada', []],
  ['www.canal.example', []],
  ['@adavale', []],
  ['page.head.extra.author', []],
  ['post.author_name', []],
  ['{{ page.author }}', []],
  ['$' + '{author}', []],
  ['%author_name%', []],
  ['<?php the_author(); ?>', []],
  ['[object Object]', []],
  ['undefined', []],
  ['Administrator', []],
  [' | ', []],
  ['word '.repeat(60), []],
])('%j: %j', (written, names) => {
  expect(namesIn(written)).toEqual(names);
});

test('a thousand marks take no time', () => {
  for (const bit of ['@', 'a@', 'A B and ', '|', '. ', "O'"]) expect(namesIn(bit.repeat(5_000)).length).toBeLessThan(500);
});
