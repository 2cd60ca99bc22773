/** Adds an item to those of a key. */
export function push<K, V>(map: Map<K, V[]>, key: K, item: V): void {
  const items = map.get(key);
  if (items === undefined) map.set(key, [item]);
  else items.push(item);
}
