import './style/main.css';
import { render } from 'preact';
import { Console } from './console.tsx';
import { locale } from './language.ts';
import { showTheme } from './theme.ts';

document.documentElement.lang = locale;
showTheme();
const element = document.getElementById('console');
if (element !== null) render(<Console />, element);
