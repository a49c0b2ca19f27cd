import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fold } from '../language.ts';
import { Icon, type IconName } from './icons.tsx';

interface MenuProps {
  readonly icon: IconName;
  readonly summary: ComponentChildren;
  readonly class?: string;
  readonly onOpen?: (menu: HTMLElement) => void;
  readonly children: ComponentChildren;
}

/** Called by an item of a menu before it opens a dialog, which later returns the focus to the menu. */
export function closeMenu(inside: Element): void {
  const menu = inside.closest('details');
  menu?.removeAttribute('open');
  menu?.querySelector('summary')?.focus();
}

const notTyped = 'input:not([type="radio"], [type="checkbox"]), select';

/**
 * Moves the focus to the next item that begins with the typed letters; only Enter chooses an item.
 * @param typed the letters before @returns all letters
 */
function findItem(menu: HTMLElement, { key, target }: KeyboardEvent, typed: string): string {
  const focused = target as HTMLElement;
  if (key === 'Enter' && focused.matches('[type="radio"]')) focused.click();
  if (!/^\S$/u.test(key) || focused.matches(notTyped)) return typed;
  const items = [...menu.querySelectorAll<HTMLElement>('.menu-body :is(a, button, input)')];
  const at = items.indexOf(focused);
  const find = (text: string, from: number) =>
    [...items.slice(from), ...items.slice(0, from)].find((item) =>
      fold((item.closest('label') ?? item).innerText).startsWith(fold(text)),
    );
  const longer = find(typed + key, Math.max(at, 0));
  (longer ?? find(key, at + 1))?.focus();
  return (longer ? typed : '') + key;
}

/** Opens below its label; a click elsewhere, Escape, or leaving it with Tab closes it. */
export function Menu({ icon, summary, class: more = '', onOpen, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const typed = useRef('');
  useEffect(() => {
    const closeOutside = ({ type, target }: Event) => {
      const menu = element.current;
      if (!menu?.open || !(target instanceof Node)) return;
      // Pressing on text in the menu moves the focus to an element around it.
      const isAround = type === 'focusin' && target.contains(menu);
      if (!isAround && !menu.contains(target)) menu.open = false;
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('focusin', closeOutside);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('focusin', closeOutside);
    };
  }, []);
  return (
    <details
      ref={element}
      class={`menu ${more}`}
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.(currentTarget)}
      onKeyDown={(event) => {
        const menu = element.current;
        if (!menu?.open) return;
        if (!(event.ctrlKey || event.metaKey || event.altKey))
          typed.current = findItem(menu, event, typed.current);
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        menu.open = false;
        menu.querySelector('summary')?.focus();
      }}
    >
      <summary>
        <Icon name={icon} /> {summary}
      </summary>
      <div class="menu-body">{children}</div>
    </details>
  );
}
