// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {TestWallet} from "./TestWallet.sol";

/// @notice Puts smart wallets where their owner and a salt say (CREATE2), so that a wallet can sign before it exists (ERC-6492).
///         A second call for the same wallet changes nothing.
contract WalletFactory {
    function create(address owner, uint256 salt) public returns (address wallet) {
        wallet = addressOf(owner, salt);
        if (wallet.code.length == 0) new TestWallet{salt: bytes32(salt)}(owner);
    }

    function addressOf(address owner, uint256 salt) public view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(TestWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), salt, code)))));
    }
}
