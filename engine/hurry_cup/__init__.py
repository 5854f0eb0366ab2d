"""Hurry' Cup: three to six drivers snatch fuel in real time and race from Cannes to Monaco."""
