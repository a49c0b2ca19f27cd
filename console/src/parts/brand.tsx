import { useLayoutEffect } from 'preact/hooks';
import { readMeta } from '../root.ts';
import { texts } from '../texts/texts.ts';

/** The name of the product: the operator's, or that of the catalog. */
export const product = readMeta('product') || texts.page.product;

/** Stands beside the name. The same as the icon of the tab, in the colours of the page. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <path d="M13 15.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM5 25.500a8 7.500 0 0 1 16 0zM20.500 8.500h6.500v2.500h-6.500zM22.500 14h4.500v2.500h-4.500z" />
  </svg>
);

/** Sets the title of the tab, at once with what the page shows. @param name of the resource shown; empty: none @param section the view; empty: none */
export function useTitle(name: string, section: string): void {
  useLayoutEffect(() => {
    document.title = [name, section, product].filter(Boolean).join(' · ');
  }, [name, section]);
}
