import type { ComponentChildren } from 'preact';

/** A message, for example about a failure. */
export interface Words {
  readonly title: string;
  /** The meaning, and what people can do. */
  readonly text: string;
}

export type NoticeTone = 'info' | 'good' | 'warning' | 'bad';

interface NoticeProps extends Partial<Words> {
  readonly tone: NoticeTone;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Read out when it appears. */
export const Notice = ({ tone, title, text = '', children }: NoticeProps) => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <p class="strong">{title}</p>
    {text !== '' && <p>{text}</p>}
    {children}
  </div>
);
