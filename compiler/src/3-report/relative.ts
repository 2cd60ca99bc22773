/**
 * Path of a file as seen from a folder.
 * @param folder absolute, with `/`, no slash at the end (but `/` itself).
 * @param file absolute, with `/`.
 * @returns relative with `/` (`../` where needed); the file unchanged when it lies on another drive.
 */
export function relativeTo(folder: string, file: string): string {
  const from = folder.split("/").filter(Boolean);
  const to = file.split("/").filter(Boolean);
  if (/^[A-Za-z]:$/.test(to[0] ?? "") && to[0]?.toLowerCase() !== from[0]?.toLowerCase()) return file;
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}
