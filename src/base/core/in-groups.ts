/**
 * Items in groups, in their order.
 * @param most a group ends with the item with which it weighs as much
 * @param weightOf weight of an item. Default: 1
 */
export function* inGroups<T>(items: Iterable<T>, most: number, weightOf: (item: T) => number = () => 1): Generator<T[]> {
  let group: T[] = [];
  let weight = 0;
  for (const item of items) {
    group.push(item);
    weight += weightOf(item);
    if (weight < most) continue;
    yield group;
    [group, weight] = [[], 0];
  }
  if (group.length > 0) yield group;
}
