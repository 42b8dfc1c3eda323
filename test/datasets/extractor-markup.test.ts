import { expect, test } from 'vitest';
import { strippedMarkup } from '../../datasets/extractor/markup.ts';

const PAGE =
  '<HTML id=top><body class=\'a "b\'><Main ID="m" role=main data-id=1><p title="class=x" class>one<a href=/x class="y">two</a></p></Main >' +
  '<script>"<nav class=z>"</script><!-- <nav id=c> --><footer hidden>three</footer>';

test('hints and semantics are stripped from tags alone, and all else stays', () => {
  expect(strippedMarkup(PAGE, { hints: true, semantics: false })).toBe(
    '<HTML x=top><body x=\'a "b\'><Main x="m" role=main data-id=1><p title="class=x" x>one<a href=/x x="y">two</a></p></Main >' +
      '<script>"<nav class=z>"</script><!-- <nav id=c> --><footer hidden>three</footer>',
  );
  expect(strippedMarkup(PAGE, { hints: false, semantics: true })).toBe(
    '<HTML id=top><body class=\'a "b\'><div ID="m" x=main data-id=1><p title="class=x" class>one<a href=/x class="y">two</a></p></div >' +
      '<script>"<nav class=z>"</script><!-- <nav id=c> --><div hidden>three</div>',
  );
  expect(strippedMarkup(PAGE, { hints: false, semantics: false })).toBe(PAGE);
});
