import './style/main.css';
import { render } from 'preact';
import { Console } from './console.tsx';

const element = document.getElementById('console');
if (element !== null) render(<Console />, element);
