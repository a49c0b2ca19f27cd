import { useLayoutEffect } from 'preact/hooks';
import { product } from './brand.tsx';

/** Sets the title of the tab, at once with what the page shows. @param name of the resource shown; empty: none @param section the view; empty: none */
export function useTitle(name: string, section: string): void {
  useLayoutEffect(() => {
    document.title = [name, section, product].filter(Boolean).join(' · ');
  }, [name, section]);
}
