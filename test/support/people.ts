/** People of many countries, and what others type to find them. */

interface Person {
  /** As the directory shows it: the parts of the name, with `|` between them. */
  readonly name: string;
  readonly phone?: string;
  readonly employeeNumber?: string;
  readonly typed: readonly string[];
  /** Typed, too, and not found, each with the reason. */
  readonly missed?: Readonly<Record<string, string>>;
}

const reading = 'how a name in Han characters is read, no character tells';
const transliteration = 'a name in another script has several transliterations';

export const people: readonly Person[] = [
  {
    name: 'Jürgen|Müller',
    typed: [
      'mueller',
      'muller',
      'MÜLLER',
      'juergen mueller',
      'müller jürgen',
      'Müller, Jürgen',
      'j müller',
      'j. müller',
    ],
    missed: { mülller: 'a slip of the keys' },
  },
  {
    name: 'Heike|Mueller-Lüdenscheidt',
    typed: ['müller', 'lüdenscheidt', 'luedenscheidt', 'mueller ludenscheidt', 'muellerluedenscheidt'],
  },
  { name: 'Anna|Groß', typed: ['gross', 'groß', 'GROSS', 'anna gros'] },
  {
    name: 'Jörg|Schröder',
    typed: ['schroeder', 'schroder', 'joerg', 'schroeder,joerg'],
  },
  { name: 'Dr. Käthe|Weißbach', typed: ['kaethe', 'dr. käthe weißbach', 'weissbach', 'dr weissbach'] },
  { name: 'Beat|Rüegg', typed: ['ruegg', 'rueegg', 'rüegg beat'] },
  { name: 'Søren|Kierkegård', typed: ['soren', 'soeren', 'sören', 'kierkegaard', 'kierkegard'] },
  { name: 'Åse|Ødegård', typed: ['aase', 'ase', 'oedegaard', 'odegard', 'ødegård åse'] },
  { name: 'Bjørn|Ångström', typed: ['bjorn', 'bjoern', 'angstrom', 'aangstroem', 'ångström'] },
  { name: 'Jón Þór|Ægisson', typed: ['thor', 'jon thor', 'aegisson', 'ægisson'] },
  { name: 'Väinö|Hämäläinen', typed: ['vaino', 'hamalainen', 'haemaelaeinen'] },
  { name: 'Łukasz|Żółkiewski', typed: ['lukasz', 'zolkiewski', 'żółkiewski łukasz'] },
  { name: 'Jiří|Dvořák', typed: ['jiri dvorak', 'DVORAK', 'Dvořák, Jiří'] },
  { name: 'Novak|Đoković', typed: ['dokovic', 'djokovic', 'đoković'] },
  { name: 'Işıl|Gökçe', typed: ['isil', 'gokce', 'IŞIL', 'goekce'] },
  { name: 'Ștefan|Țepeș', typed: ['stefan', 'tepes', 'țepeș'] },
  { name: 'Győző|Erdős', typed: ['gyozo', 'erdos', 'erdos gyozo'] },
  { name: 'François|L’Étoile', typed: ["l'etoile", 'letoile', 'etoile', 'francois', 'l’étoile'] },
  { name: 'Anne-Sophie|Lecœur', typed: ['anne sophie', 'anne-sophie', 'annesophie', 'lecoeur', 'LECŒUR'] },
  { name: 'Sean|O’Neill', typed: ['oneill', "o'neill", 'o neill', 'neill', 'O’NEILL', "sean o'n"] },
  { name: 'Niccolò|D’Amico', typed: ['niccolo', 'damico', "d'amico", 'amico'] },
  { name: 'Siobhán|Ní Mhaoláin', typed: ['siobhan', 'ni mhaolain', 'mhaolain'] },
  {
    name: 'Fiona|MacDonald',
    typed: ['macdonald', 'MacD'],
    missed: { 'mac donald': 'one word is typed as two' },
  },
  {
    name: 'Jan|van der Berg',
    typed: ['van der berg', 'berg', 'berg jan', 'Berg, Jan van der'],
    missed: { vanderberg: 'two words are typed as one' },
  },
  {
    name: 'José|Núñez García',
    typed: ['jose', 'nunez', 'nunez garcia', 'garcia nunez', 'josé garcía'],
    missed: { pepe: 'a nickname' },
  },
  { name: 'João|Conceição', typed: ['joao', 'conceicao'] },
  { name: 'Marcel·lí|Puig', typed: ['marcel·li', 'marcel li', 'marcelli'] },
  {
    name: 'John Ronald|Tolkien',
    typed: ['j. tolkien', 'tolkien, j', 'j r tolkien', 'j. r. tolkien'],
    missed: { 'jr tolkien': 'initials are typed as one word' },
  },
  {
    name: 'Ada|Lovelace',
    typed: ['ada l', 'love', 'lovelace;ada', 'ADA LOVELACE'],
    missed: { lovelance: 'a slip of the keys' },
  },
  {
    name: 'Γιώργος|Παπαδόπουλος',
    typed: ['γιωργοσ', 'ΠΑΠΑΔΟΠΟΥΛΟΣ', 'παπαδ'],
    missed: { papadopoulos: transliteration },
  },
  {
    name: 'Фёдор|Соловьёв',
    typed: ['федор', 'соловьев', 'СОЛОВЬЁВ ФЁДОР'],
    missed: { solovyov: transliteration },
  },
  { name: 'Дар’я|Лук’яненко', typed: ["лук'яненко", 'лукяненко', "дар'я"] },
  { name: 'أحمد|إبراهيم', typed: ['احمد', 'ابراهيم', 'أحمد'] },
  {
    name: 'فاطمة|الزهراء',
    typed: ['فاطمه', 'فاطمة', 'الزهراء'],
    missed: { زهراء: 'the article is left out' },
  },
  { name: 'علی|رضایی', typed: ['علي', 'رضايي'] },
  { name: 'שלמה|כהן', typed: ['כהן', 'שלמה כהן'] },
  { name: 'अनिल|शर्मा', typed: ['शर्मा', 'अनिल'] },
  { name: 'สมชาย|ใจดี', typed: ['ใจดี', 'สมชาย', 'สมชายใจดี'] },
  {
    name: '山田|太郎',
    typed: ['山田', '太郎', '山田太郎', '山田　太郎'],
    missed: { やまだ: reading, yamada: reading },
  },
  { name: '鈴木花子', typed: ['鈴木 花子', '花子', '鈴木花'] },
  { name: 'ヤマモト|ハナコ', typed: ['やまもと', 'ﾔﾏﾓﾄ', 'はなこ', 'やまもとはなこ'] },
  { name: 'キャシー', typed: ['きゃしー', 'ｷｬｼｰ'] },
  {
    name: '髙橋|一郎',
    typed: ['髙橋', '一郎'],
    missed: { 高橋: 'forms of one Han character are not equal' },
  },
  { name: '王|小明', typed: ['王', '小明', '王小明'], missed: { wang: reading } },
  { name: '김|철수', typed: ['김', '철수', '김철수', '김철'], missed: { kim: transliteration } },
  { name: '박영희', typed: ['박 영희', '영희', '박영'] },
  { name: 'Nguyễn Thị|Đặng', typed: ['nguyen', 'nguyen thi', 'dang', 'đặng'] },
  { name: 'Tāwhiao|Ngāpuhi', typed: ['tawhiao', 'ngapuhi'] },
  { name: 'Ka‘iulani|Kawānanakoa', typed: ['kaiulani', "ka'iulani", 'kawananakoa'] },
  { name: 'Chukwuemeka|Ọkọ́', typed: ['oko', 'chukwu'] },
  {
    name: 'Max|Phone',
    phone: '+49 (30) 901820-17',
    typed: [
      '+49 30 901820-17',
      '+49 (30) 90182017',
      '004930901820',
      '030 901820-17',
      '03090182017',
      '9018-2017',
      '2017',
    ],
  },
  {
    name: 'Eve|Number',
    employeeNumber: 'E-00042',
    typed: ['E-00042', '00042', 'e-0'],
    missed: { e00042: 'the hyphen is left out' },
  },
];
