import { useEffect } from 'preact/hooks';

/** Sets the title of the tab. @param name of the resource shown; empty: none @param section the view */
export function useTitle(name: string, section: string): void {
  useEffect(() => {
    document.title = name === '' ? section : `${name} · ${section}`;
  }, [name, section]);
}
