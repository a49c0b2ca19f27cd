import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { describeKilledBuilding, inMongoDB } from './killed-building.ts';

describeKilledBuilding(20_000, 8);

describeMongo('On MongoDB', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.drop());
  describeKilledBuilding(
    5_000,
    8,
    inMongoDB(() => database),
  );
});
