import { useLayoutEffect } from 'preact/hooks';

/** Sets the title of the tab, at once with what the page shows. @param name of the resource shown; empty: none @param section the view */
export function useTitle(name: string, section: string): void {
  useLayoutEffect(() => {
    document.title = name === '' ? section : `${name} · ${section}`;
  }, [name, section]);
}
