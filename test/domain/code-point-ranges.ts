/**
 * Sets of code points as the files of vectors hold them: ranges in hexadecimal, each as its distance from the end of the one before and its
 * length less one.
 */
export function pointsOf(ranges: string): number[] {
  let end = 0;
  return ranges.split(' ').flatMap((range) => {
    const [step = 0, length = 0] = range.split('+').map((value) => Number.parseInt(value, 16));
    const first = end + step;
    end = first + length;
    return Array.from({ length: length + 1 }, (_, index) => first + index);
  });
}
