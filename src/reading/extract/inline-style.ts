/**
 * Effects of a style attribute on sight, lines and white space (CSS Syntax 3, Display 3, Text 3). Names and keywords are in any case; a later declaration wins, unless an
 * earlier one is important; a value that is not in the lists is invalid, and browsers ignore it.
 */

export const PROPERTY = { display: 1, visibility: 2, contentVisibility: 3, whiteSpace: 4 } as const;
export const VALUE = { none: 1, block: 2, cell: 3, inline: 4, hidden: 5, visible: 6, pre: 7, preLine: 8, normal: 9 } as const;

/** The properties that are read. */
export const STYLE_PROPERTIES: ReadonlyMap<string, number> = new Map([
  ['display', PROPERTY.display],
  ['visibility', PROPERTY.visibility],
  ['content-visibility', PROPERTY.contentVisibility],
  ['white-space', PROPERTY.whiteSpace],
]);

/** Keywords and their kinds, which are apart for `display`, the two for sight, and `white-space`; of several in one value, `inline` and `cell` are stronger than `block`. */
export const STYLE_VALUES: ReadonlyMap<string, number> = new Map([
  ['none', VALUE.none],
  ...each(
    VALUE.block,
    'block flex grid flow flow-root table list-item table-row table-row-group table-header-group table-footer-group table-caption ' +
      '-webkit-box -webkit-flex -moz-box -ms-flexbox -ms-grid',
  ),
  ['table-cell', VALUE.cell],
  ...each(
    VALUE.inline,
    'inline inline-block inline-flex inline-grid inline-table contents ruby ruby-base ruby-text run-in table-column table-column-group ' +
      '-webkit-inline-box -webkit-inline-flex -moz-inline-box -ms-inline-flexbox inherit initial unset revert revert-layer',
  ),
  ...each(VALUE.hidden, 'hidden collapse'),
  ...each(VALUE.visible, 'visible auto'),
  ...each(VALUE.pre, 'pre pre-wrap break-spaces'),
  ['pre-line', VALUE.preLine],
  ...each(VALUE.normal, 'normal nowrap'),
]);

function each(kind: number, names: string): (readonly [string, number])[] {
  return names.split(' ').map((name) => [name, kind] as const);
}
