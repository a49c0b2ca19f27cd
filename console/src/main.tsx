import './style/main.css';
import { render } from 'preact';
import { Console } from './console.tsx';
import { locale } from './language.ts';

document.documentElement.lang = locale;
const element = document.getElementById('console');
if (element !== null) render(<Console />, element);
