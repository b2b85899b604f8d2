import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Test contracts. `Mute` returns nothing from `transfer`, like USDT. `Denying` returns false, as on TRON. `Forwarder`
 * pays native coin.
 */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract Standard is ERC20 {
  uint8 private immutable places;
  constructor(uint256 places_) ERC20("Dollar", "USDC") { places = uint8(places_); _mint(msg.sender, type(uint128).max); }
  function decimals() public view override returns (uint8) { return places; }
}

contract Mute {
  string public symbol = "USDT";
  uint8 public immutable decimals;
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);
  constructor(uint256 places) { decimals = uint8(places); balanceOf[msg.sender] = type(uint128).max; }
  function transfer(address to, uint256 value) public {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
  }
  function twice(address to, uint256 value) external { transfer(to, value); transfer(to, value); }
}

contract Denying {
  string public symbol = "USDT";
  uint8 public constant decimals = 6;
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);
  constructor() { balanceOf[msg.sender] = type(uint128).max; }
  function transfer(address to, uint256 value) external returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return false;
  }
}

contract Forwarder {
  receive() external payable {}
  function pay(address payable to, uint256 value) external { to.transfer(value); }
}
`
const ROOT = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

export type Tokens = { Standard: string; Mute: string; Denying: string; Forwarder: string }
let compiled: Tokens | undefined

/** Compiles the test contracts, once per process. Returns their bytecode by contract name. */
export async function compileTokens(): Promise<Tokens> {
  compiled ??= compile()
  return compiled
}

function compile(): Tokens {
  // The package's own types belong to a different version of the package.
  const solc = createRequire(import.meta.url)('solc') as {
    compile(input: string, options: { import(path: string): { contents: string } }): string
  }
  const input = {
    language: 'Solidity',
    sources: { 'tokens.sol': { content: SOURCE } },
    settings: { evmVersion: 'paris', outputSelection: { 'tokens.sol': { '*': ['evm.bytecode.object'] } } },
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path) => ({ contents: readFileSync(`${ROOT}${path}`, 'utf8') }) }),
  ) as Output
  const faults = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const codeOf = (name: string) => `0x${output.contracts['tokens.sol']?.[name]?.evm.bytecode.object ?? ''}`
  return {
    Standard: codeOf('Standard'),
    Mute: codeOf('Mute'),
    Denying: codeOf('Denying'),
    Forwarder: codeOf('Forwarder'),
  }
}
