/** Line icons in the colour of the text. Each stands beside a word or in a button with a name. */
const paths = {
  search: 'M10.5 10.5 14 14M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Z',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  columns: 'M2.5 3h11v10h-11zM6 3v10M10 3v10',
  filter: 'M2 3.500h12M4.5 8h7M6.5 12.500h3',
  bookmark: 'M4.500 2.500h7v11l-3.500-3-3.500 3z',
  back: 'M13 8H3M7 4 3 8l4 4',
  copy: 'M5.5 5.500h7.500v8h-7.500zM10.5 5.500v-3h-7.500v8h2.5',
  first: 'M12 4 8 8l4 4M4.5 4v8',
  prev: 'M10 4 6 8l4 4',
  next: 'M6 4l4 4-4 4',
  last: 'M4 4l4 4-4 4M11.5 4v8',
  remove: 'M3 4.500h10M6.5 4.500v-2h3v2M4.5 4.500l.5 9h6l.5-9',
  transfer: 'M8 2.500v7M5 6.500l3 3 3-3M2.5 10.500v3h11v-3',
  person: 'M8 8a2.75 2.75 0 1 0 0-5.500A2.75 2.75 0 0 0 8 8ZM2.5 13.500a5.5 4.5 0 0 1 11 0',
} as const;
export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
